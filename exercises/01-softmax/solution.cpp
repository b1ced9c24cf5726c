#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Matrix softmax(const Matrix& scores) {
  const Index T = scores.rows();
  const Index S = scores.cols();

  Matrix weights(T, S);                                                // (T, S) every entry is written below
  for (Index i = 0; i < T; ++i) {
    const Scalar peak = scores.row(i).maxCoeff();                      // finite: every row has a finite entry
    for (Index j = 0; j < S; ++j)
      weights(i, j) = std::exp(scores(i, j) - peak);                   // in [0, 1], exactly 0 where hidden
    weights.row(i) /= weights.row(i).sum();                            // (S) the peak alone adds 1: never 0/0
  }
  return weights;
}
