#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  Matrix out(T, x.cols());
  attest::Heads attn;
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d);
    const Matrix k = x * w_k.middleCols(h * d, d);
    const Matrix v = x * w_v.middleCols(h * d, d);
    Matrix s = q.leftCols(d - 1) * k.leftCols(d - 1).transpose();
    s /= std::sqrt(Scalar(d));
    for (Index i = 0; i < T; ++i) {
      const Scalar m = s.row(i).head(i + 1).maxCoeff();
      for (Index j = 0; j < T; ++j) s(i, j) = i >= j ? std::exp(s(i, j) - m) : 0;
      s.row(i) /= s.row(i).sum();
    }
    out.middleCols(h * d, d) = s * v;
    attn.push_back(s);
  }
  return {out * w_o, attn};
}
