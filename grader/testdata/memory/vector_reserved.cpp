// reserve() makes room, but no elements.
#include <attest/exercise.hpp>

#include <vector>

attest::Matrix softmax(const attest::Matrix& scores) {
  const attest::Index T = scores.rows(), S = scores.cols();
  attest::Matrix weights(T, S);
  std::vector<double> e;
  e.reserve(S);
  for (attest::Index i = 0; i < T; ++i) {
    const double top = scores.row(i).maxCoeff();
    double sum = 0;
    for (attest::Index j = 0; j < S; ++j) {
      e[j] = std::exp(scores(i, j) - top);
      sum += e[j];
    }
    for (attest::Index j = 0; j < S; ++j) weights(i, j) = e[j] / sum;
  }
  return weights;
}
