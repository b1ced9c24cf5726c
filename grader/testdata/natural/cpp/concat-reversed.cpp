#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix merged(T, x.cols());
  attest::Heads attn(n_heads);
  Index free = x.cols();  // filled from the back
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix s = q.middleCols(h * d, d) * k.middleCols(h * d, d).transpose() / std::sqrt(Scalar(d));
    Matrix p = Matrix::Zero(T, T);
    for (Index i = 0; i < T; ++i) {
      const auto past = s.row(i).head(i + 1);
      p.row(i).head(i + 1) = (past.array() - past.maxCoeff()).exp();
      p.row(i) /= p.row(i).sum();
    }
    free -= d;
    merged.middleCols(free, d) = p * v.middleCols(h * d, d);
    attn[h] = p;
  }
  return {merged * w_o, attn};
}
