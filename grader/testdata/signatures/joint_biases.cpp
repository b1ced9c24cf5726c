#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_qkv, const Matrix& b_qkv, const Matrix& w_o, const Matrix& b_o,
                                      Index n_heads) {
  const Matrix qkv = (x * w_qkv).rowwise() + b_qkv.row(0);  // b_qkv is (1, 3 d_model)
  const Index T = x.rows(), d_model = w_o.rows(), d_head = d_model / n_heads;
  Matrix merged(T, d_model);
  Heads all;
  for (Index g = 0; g < n_heads; ++g) {
    const auto part = [&](Index which) { return qkv.middleCols(which * d_model + g * d_head, d_head); };
    const Matrix scores = part(0) * part(1).transpose() / std::sqrt(Scalar(d_head));
    Matrix w = Matrix::Zero(T, T);
    for (Index i = 0; i < T; ++i) {
      w.row(i).head(i + 1) = (scores.row(i).head(i + 1).array() - scores.row(i).head(i + 1).maxCoeff()).exp().matrix();
      w.row(i) /= w.row(i).sum();
    }
    merged.middleCols(g * d_head, d_head) = w * part(2);
    all.push_back(w);
  }
  return {(merged * w_o).rowwise() + b_o.row(0), all};
}
