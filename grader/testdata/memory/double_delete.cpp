// Both the helper and its caller clean up.
#include <attest/exercise.hpp>

static double total(double* e, attest::Index n) {
  double sum = 0;
  for (attest::Index j = 0; j < n; ++j) sum += e[j];
  delete[] e;
  return sum;
}

attest::Matrix softmax(const attest::Matrix& scores) {
  const attest::Index T = scores.rows(), S = scores.cols();
  attest::Matrix weights(T, S);
  for (attest::Index i = 0; i < T; ++i) {
    double* e = new double[S];
    for (attest::Index j = 0; j < S; ++j) weights(i, j) = e[j] = std::exp(scores(i, j) - scores.row(i).maxCoeff());
    weights.row(i) /= total(e, S);
    delete[] e;
  }
  return weights;
}
