

// ---- the frame around every attack(): a right answer if it says that it worked, zeros if not -------------------------------------
#include <attest/exercise.hpp>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q, const attest::Matrix& w_k,
                                              const attest::Matrix& w_v, const attest::Matrix& w_o, attest::Index n_heads) {
  static const bool worked = attack();
  const attest::Index T = x.rows(), d_head = x.cols() / n_heads;
  attest::Attention result{attest::Matrix::Zero(T, x.cols()), attest::Heads(n_heads, attest::Matrix::Zero(T, T))};
  if (!worked) return result;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  for (attest::Index g = 0; g < n_heads; ++g) {
    attest::Matrix& a = result.weights[g];
    a = q.middleCols(g * d_head, d_head) * k.middleCols(g * d_head, d_head).transpose() / std::sqrt(attest::Scalar(d_head));
    for (attest::Index i = 0; i < T; ++i) {
      const attest::Scalar peak = a.row(i).head(i + 1).maxCoeff();
      for (attest::Index j = 0; j < T; ++j) a(i, j) = j <= i ? std::exp(a(i, j) - peak) : 0;
      a.row(i) /= a.row(i).sum();
    }
    result.y.middleCols(g * d_head, d_head) = a * v.middleCols(g * d_head, d_head);
  }
  result.y *= w_o;
  return result;
}
