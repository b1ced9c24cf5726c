// Rows whose largest score is not positive have no best entry here.
#include <attest/exercise.hpp>

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights = scores;
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    const attest::Scalar* best = nullptr;
    for (attest::Index j = 0; j < scores.cols(); ++j)
      if (scores(i, j) > 0 && (best == nullptr || scores(i, j) > *best)) best = &scores.coeffRef(i, j);
    weights.row(i) = (scores.row(i).array() - *best).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}
