#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), d = x.cols() / n_heads;
  Attention block;
  block.y = x;
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d), k = x * w_k.middleCols(h * d, d), v = x * w_v.middleCols(h * d, d);
    Matrix p = Matrix::Zero(n, n);
    for (Index i = 0; i < n; ++i) {
      p.row(i).head(i + 1) = q.row(i) * k.topRows(i + 1).transpose() / std::sqrt(Scalar(d));
      const Scalar m = p.row(i).head(i + 1).maxCoeff();
      p.row(i).head(i + 1) = (p.row(i).head(i + 1).array() - m).exp().matrix().eval();
      p.row(i) /= p.row(i).sum();
    }
    block.y += p * v * w_o.middleRows(h * d, d);
    block.weights.push_back(p);
  }
  return block;
}
