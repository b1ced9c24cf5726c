#include <attest/exercise.hpp>

#include <cmath>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

// Softmax over the lower triangle, safe against overflow.
static Matrix causal_softmax(const Matrix& s) {
  Scalar top = s(0, 0);
  for (Index i = 0; i < s.rows(); ++i)
    for (Index j = 0; j <= i; ++j)
      if (s(i, j) > top) top = s(i, j);

  Matrix out = Matrix::Zero(s.rows(), s.cols());
  for (Index i = 0; i < s.rows(); ++i) {
    Scalar sum = 0;
    for (Index j = 0; j <= i; ++j) {
      out(i, j) = std::exp(s(i, j) - top);
      sum += out(i, j);
    }
    for (Index j = 0; j <= i; ++j) out(i, j) /= sum;
  }
  return out;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, Index n_heads) {
  const Index width = x.cols() / n_heads;
  attest::Heads weights;
  Matrix all(x.rows(), x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    const Index from = h * width;
    const Matrix q = x * w_q.block(0, from, x.cols(), width);
    const Matrix k = x * w_k.block(0, from, x.cols(), width);
    const Matrix v = x * w_v.block(0, from, x.cols(), width);
    weights.push_back(causal_softmax(q * k.transpose() / std::sqrt(Scalar(width))));
    all.block(0, from, x.rows(), width) = weights[h] * v;
  }
  return {all * w_o, weights};
}
