#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows();
  const Index d_head = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;

  Matrix concat = Matrix::Zero(T, x.cols());
  Heads probs;
  for (Index h = 0; h < n_heads; ++h) {
    Matrix logits = q.middleCols(h * d_head, d_head) * k.middleCols(h * d_head, d_head).transpose();
    logits /= std::sqrt(Scalar(d_head));
    Matrix p = Matrix::Zero(T, T);
    for (Index i = 0; i < T; ++i) {
      const Scalar m = logits.row(i).head(i + 1).maxCoeff();
      for (Index j = 0; j <= i; ++j) p(i, j) = std::exp2(logits(i, j) - m);
      p.row(i) /= p.row(i).sum();
    }
    concat.middleCols(h * d_head, d_head) = p * v.middleCols(h * d_head, d_head);
    probs.push_back(p);
  }
  return {concat * w_o, probs};
}
