#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Heads attn;
  Matrix ctx = Matrix::Zero(n, x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    Matrix e = Matrix::Zero(n, n);
    std::vector<Scalar> sums(n, 0);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j <= i; ++j)
        e(i, j) = q.row(i).segment(h * d, d).dot(k.row(j).segment(h * d, d)) / std::sqrt(Scalar(d));
      const Scalar m = e.row(i).head(i + 1).maxCoeff();
      for (Index j = 0; j <= i; ++j) {
        e(i, j) = std::exp(e(i, j) - m);
        sums[i] += e(i, j);
      }
    }
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j <= i; ++j) e(i, j) /= sums[j];
    ctx.middleCols(h * d, d) = e * v.middleCols(h * d, d);
    attn.push_back(e);
  }
  return {ctx * w_o, attn};
}
