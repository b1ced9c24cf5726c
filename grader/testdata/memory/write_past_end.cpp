// Room for the rows, but the columns are written.
#include <attest/exercise.hpp>

attest::Matrix softmax(const attest::Matrix& scores) {
  const attest::Index T = scores.rows(), S = scores.cols();
  attest::Matrix weights(T, S);
  for (attest::Index i = 0; i < T; ++i) {
    double* e = new double[T];
    double sum = 0;
    for (attest::Index j = 0; j < S; ++j) {
      e[j] = std::exp(scores(i, j) - scores.row(i).maxCoeff());
      sum += e[j];
    }
    for (attest::Index j = 0; j < S; ++j) weights(i, j) = e[j] / sum;
    delete[] e;
  }
  return weights;
}
