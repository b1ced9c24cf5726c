#include <attest/exercise.hpp>

using namespace attest;

static Matrix one(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v, const Matrix& w_o, Index n_heads) {
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  const Index d_head = w_o.rows() / n_heads;
  Matrix merged(x.rows(), w_o.rows());
  Heads all;
  for (Index g = 0; g < n_heads; ++g) {
    const Matrix s = q.middleCols(g * d_head, d_head) * k.middleCols(g * d_head, d_head).transpose() / std::sqrt(Scalar(d_head));
    Matrix w = Matrix::Zero(x.rows(), x.rows());
    for (Index i = 0; i < x.rows(); ++i) {
      w.row(i).head(i + 1) = (s.row(i).head(i + 1).array() - s.row(i).head(i + 1).maxCoeff()).exp().matrix();
      w.row(i) /= w.row(i).sum();
    }
    merged.middleCols(g * d_head, d_head) = w * v.middleCols(g * d_head, d_head);
    all.push_back(w);
  }
  return merged * w_o;
}

Heads causal_multi_head_attention(const Heads& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v, const Matrix& w_o,
                                  Index n_heads) {
  Heads y;
  for (const Matrix& sequence : x) y.push_back(one(sequence, w_q, w_k, w_v, w_o, n_heads));
  return y;
}
