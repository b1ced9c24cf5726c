#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v) {
  const Index T = x.rows();
  const Index d_k = w_q.cols();

  const Matrix q = x * w_q;                                            // (T, d_k)
  const Matrix k = x * w_k;                                            // (T, d_k)
  const Matrix v = x * w_v;                                            // (T, d_v)
  const Matrix scores = q * k.transpose() / std::sqrt(Scalar(d_k));    // (T, T)

  Matrix weights = Matrix::Zero(T, T);                                 // (T, T) the future stays at 0
  for (Index i = 0; i < T; ++i) {
    const Scalar peak = scores.row(i).head(i + 1).maxCoeff();          // the largest visible score
    for (Index j = 0; j <= i; ++j)
      weights(i, j) = std::exp(scores(i, j) - peak);                   // in [0, 1]
    weights.row(i) /= weights.row(i).sum();                            // (T) the peak alone adds 1: never 0/0
  }

  const Matrix y = weights * v;                                        // (T, d_v)
  return {y, {weights}};
}
