// The best value lives in a block that has ended.
#include <attest/exercise.hpp>

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights = scores;
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    const double* top = nullptr;
    for (attest::Index j = 0; j < scores.cols(); ++j) {
      const double here = scores(i, j);
      if (top == nullptr || here > *top) top = &here;
    }
    weights.row(i) = (scores.row(i).array() - *top).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}
