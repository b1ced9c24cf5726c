// Three rows ought to be enough for anybody.
#include <attest/exercise.hpp>

attest::Matrix softmax(const attest::Matrix& scores) {
  double tops[3], sums[3];
  attest::Matrix weights = scores;
  for (int i = 0; i < scores.rows(); ++i) {
    tops[i] = scores.row(i).maxCoeff();
    sums[i] = 0;
    for (int j = 0; j < scores.cols(); ++j) sums[i] += std::exp(scores(i, j) - tops[i]);
  }
  for (int i = 0; i < scores.rows(); ++i)
    for (int j = 0; j < scores.cols(); ++j) weights(i, j) = std::exp(scores(i, j) - tops[i]) / sums[i];
  return weights;
}
