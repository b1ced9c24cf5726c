// The sum is kept behind the exponentials, where there is no element.
#include <attest/exercise.hpp>

#include <vector>

attest::Matrix softmax(const attest::Matrix& scores) {
  const attest::Index T = scores.rows(), S = scores.cols();
  attest::Matrix weights(T, S);
  for (attest::Index i = 0; i < T; ++i) {
    std::vector<double> e(S);
    const double top = scores.row(i).maxCoeff();
    for (attest::Index j = 0; j < S; ++j) e[j] = std::exp(scores(i, j) - top);
    for (attest::Index j = 0; j < S; ++j) e[S] += e[j];
    for (attest::Index j = 0; j < S; ++j) weights(i, j) = e[j] / e[S];
  }
  return weights;
}
