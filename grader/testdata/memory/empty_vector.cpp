// The vector never gets a length.
#include <attest/exercise.hpp>

#include <vector>

attest::Matrix softmax(const attest::Matrix& scores) {
  std::vector<double> sums;
  attest::Matrix weights = scores;
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    weights.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
    sums[i] = weights.row(i).sum();
    weights.row(i) /= sums[i];
  }
  return weights;
}
