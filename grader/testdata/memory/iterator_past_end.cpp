// Leaves out the first element and takes one behind the last.
#include <attest/exercise.hpp>

#include <numeric>
#include <vector>

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights = scores;
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    std::vector<double> e(scores.cols());
    for (attest::Index j = 0; j < scores.cols(); ++j) e[j] = std::exp(scores(i, j) - scores.row(i).maxCoeff());
    const double sum = std::accumulate(e.begin() + 1, e.end() + 1, 0.0);
    for (attest::Index j = 0; j < scores.cols(); ++j) weights(i, j) = e[j] / sum;
  }
  return weights;
}
