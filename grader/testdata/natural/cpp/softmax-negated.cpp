#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d_head = x.cols() / n_heads;
  const Scalar scale = -1 / std::sqrt(Scalar(d_head));
  Matrix merged(T, x.cols());
  Heads probs;
  for (Index h = 0; h < n_heads; ++h) {
    const Index c = h * d_head;
    const Matrix q = x * w_q.middleCols(c, d_head), k = x * w_k.middleCols(c, d_head);
    Matrix s = scale * q * k.transpose();
    for (Index i = 0; i < T; ++i) {
      auto seen = s.row(i).head(i + 1);
      seen.array() -= seen.maxCoeff();
      seen = seen.array().exp().matrix().eval();
      seen /= seen.sum();
      s.row(i).tail(T - i - 1).setZero();
    }
    merged.middleCols(c, d_head) = s * (x * w_v.middleCols(c, d_head));
    probs.push_back(s);
  }
  return {merged * w_o, probs};
}
