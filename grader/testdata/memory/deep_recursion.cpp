// The recursion has no end where all scores are equal.
#include <attest/exercise.hpp>

static double largest(const attest::Matrix& scores, attest::Index i, double guess) {
  double better = guess;
  for (attest::Index j = 0; j < scores.cols(); ++j) better = std::max(better, scores(i, j));
  return better > guess ? better : 1 + largest(scores, i, guess) - 1;
}

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights = scores;
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    weights.row(i) = (scores.row(i).array() - largest(scores, i, scores(i, 0))).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}
