// Hands out the address of a local array.
#include <attest/exercise.hpp>

static double* exponentials(const double* scores, attest::Index n, double top) {
  double e[64];
  double* result = e;
  for (attest::Index j = 0; j < n; ++j) result[j] = std::exp(scores[j] - top);
  return result;
}

attest::Matrix softmax(const attest::Matrix& scores) {
  const attest::Index T = scores.rows(), S = scores.cols();
  attest::Matrix weights(T, S);
  for (attest::Index i = 0; i < T; ++i) {
    const double* e = exponentials(scores.data() + i * S, S, scores.row(i).maxCoeff());
    weights.row(i).setZero();
    double sum = 0;
    for (attest::Index j = 0; j < S; ++j) sum += e[j];
    for (attest::Index j = 0; j < S; ++j) weights(i, j) = e[j] / sum;
  }
  return weights;
}
