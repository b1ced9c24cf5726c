#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, Index n_heads) {
  const Index T = x.rows();
  const Index d_model = x.cols();
  const Index d_head = d_model / n_heads;

  const Matrix q = x * w_q;                                                // (T, d_model)
  const Matrix k = x * w_k;                                                // (T, d_model)
  const Matrix v = x * w_v;                                                // (T, d_model)

  Matrix merged(T, d_model);                                               // (T, d_model) every column is written below
  attest::Heads heads;                                                     // n_heads × (T, T)
  for (Index g = 0; g < n_heads; ++g) {
    const auto q_g = q.middleCols(g * d_head, d_head);                     // (T, d_head)
    const auto k_g = k.middleCols(g * d_head, d_head);                     // (T, d_head)
    const auto v_g = v.middleCols(g * d_head, d_head);                     // (T, d_head)

    const Matrix scores = q_g * k_g.transpose() / std::sqrt(Scalar(d_head));  // (T, T)
    Matrix weights = Matrix::Zero(T, T);                                   // (T, T) the future stays at 0
    for (Index i = 0; i < T; ++i) {
      const Scalar peak = scores.row(i).head(i + 1).maxCoeff();            // the largest visible score
      for (Index j = 0; j <= i; ++j)
        weights(i, j) = std::exp(scores(i, j) - peak);                     // in [0, 1]
      weights.row(i) /= weights.row(i).sum();                              // (T) the peak alone adds 1: never 0/0
    }

    merged.middleCols(g * d_head, d_head) = weights * v_g;                 // (T, d_head)
    heads.push_back(weights);                                              // (T, T)
  }

  const Matrix y = merged * w_o;                                           // (T, d_model)
  return {y, heads};
}
