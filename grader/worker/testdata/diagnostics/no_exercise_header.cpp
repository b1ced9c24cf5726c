#include <Eigen/Dense>

Matrix softmax(const Matrix& scores) {
  Matrix weights = scores;
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    weights.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}
