#include <attest/exercise.hpp>

using namespace attest;

static void softmax_row(Matrix& s, Index i) {
  s.row(i).array() -= s.row(i).maxCoeff();
  for (Index j = 0; j < s.cols(); ++j) s(i, j) = std::exp(s(i, j));
  s.row(i) /= s.row(i).sum();
}

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d_model = x.cols(), d_head = d_model / n_heads;
  Matrix Q = x * w_q;
  Matrix K = x * w_k;
  Matrix V = x * w_v;

  Attention result;
  Matrix concat(T, d_model);
  for (Index h = 0; h < n_heads; ++h) {
    Matrix scores = Q.block(0, h * d_head, T, d_head) * K.block(0, h * d_head, T, d_head).transpose();
    for (Index i = 0; i < T; ++i)
      for (Index j = i + 1; j < T; ++j) scores(i, j) = -INFINITY;
    for (Index i = 0; i < T; ++i) softmax_row(scores, i);
    concat.block(0, h * d_head, T, d_head) = scores * V.block(0, h * d_head, T, d_head);
    result.weights.push_back(scores);
  }
  result.y = concat * w_o;
  return result;
}
