#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v, const Matrix& w_o,
                                      const Matrix& b_q, const Matrix& b_k, const Matrix& b_v, const Matrix& b_o, Index n_heads) {
  const auto project = [](const Matrix& a, const Matrix& w, const Matrix& b) -> Matrix {
    return (a * w).rowwise() + b.row(0);  // b is (1, columns)
  };
  const Matrix q = project(x, w_q, b_q), k = project(x, w_k, b_k), v = project(x, w_v, b_v);
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
  return {project(merged, w_o, b_o), all};
}
