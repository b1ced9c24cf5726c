// The pointer has moved when it is given back.
#include <attest/exercise.hpp>

attest::Matrix softmax(const attest::Matrix& scores) {
  const attest::Index T = scores.rows(), S = scores.cols();
  attest::Matrix weights(T, S);
  for (attest::Index i = 0; i < T; ++i) {
    double* e = new double[S];
    double sum = 0;
    for (attest::Index j = 0; j < S; ++j) sum += e[j] = std::exp(scores(i, j) - scores.row(i).maxCoeff());
    for (attest::Index j = 0; j < S; ++j) weights(i, j) = *e++ / sum;
    delete[] e;
  }
  return weights;
}
