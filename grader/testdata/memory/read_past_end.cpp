// Writes from 0 on, and reads from 1 on.
#include <attest/exercise.hpp>

attest::Matrix softmax(const attest::Matrix& scores) {
  const attest::Index T = scores.rows(), S = scores.cols();
  attest::Matrix weights(T, S);
  double* row = new double[S];
  for (attest::Index i = 0; i < T; ++i) {
    const double top = scores.row(i).maxCoeff();
    for (attest::Index j = 0; j < S; ++j) row[j] = std::exp(scores(i, j) - top);
    for (attest::Index j = 0; j < S; ++j) weights(i, j) = row[j + 1];
    weights.row(i) /= weights.row(i).sum();
  }
  delete[] row;
  return weights;
}
