#include <attest/exercise.hpp>

using attest::Matrix;
using attest::Scalar;

static Matrix softmax(const Matrix& s) {
  Matrix p(s.rows(), s.cols());
  for (int i = 0; i < s.rows(); ++i) {
    const Scalar m = s.row(i).maxCoeff();
    for (int j = 0; j < s.cols(); ++j) p(i, j) = std::exp(s(i, j) - m);
    p.row(i) /= p.row(i).sum();
  }
  return p;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const int T = x.rows(), d = x.cols() / n_heads;
  Matrix ctx(T, x.cols());
  attest::Heads attn;
  for (int h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d);
    const Matrix k = x * w_k.middleCols(h * d, d);
    const Matrix v = x * w_v.middleCols(h * d, d);
    Matrix s = q * k.transpose() / std::sqrt(Scalar(d));
    for (int i = 0; i < T; ++i)
      for (int j = i + 1; j < T; ++j) s(i, j) = -INFINITY;
    const Matrix p = softmax(s);
    ctx.middleCols(h * d, d) = p * v;
    attn.push_back(p);
  }
  return {ctx * w_o, attn};
}
