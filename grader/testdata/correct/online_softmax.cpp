#include <attest/exercise.hpp>

#include <algorithm>

using attest::Index;
using attest::Matrix;
using attest::Scalar;
using Row = Eigen::Matrix<Scalar, 1, Eigen::Dynamic>;

// Runs over the keys once, with a running maximum, sum and accumulator. The row of scores is never stored.
attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d_head = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  const Scalar scale = Scalar(1) / std::sqrt(Scalar(d_head));

  Matrix out(T, x.cols());
  for (Index g = 0; g < n_heads; ++g) {
    const Index at = g * d_head;
    for (Index i = 0; i < T; ++i) {
      Scalar m = -std::numeric_limits<Scalar>::infinity();
      Scalar l = 0;
      Row acc = Row::Zero(d_head);
      for (Index j = 0; j <= i; ++j) {
        const Scalar s = q.row(i).segment(at, d_head).dot(k.row(j).segment(at, d_head)) * scale;
        const Scalar m_new = std::max(m, s);
        const Scalar keep = std::exp(m - m_new);
        const Scalar p = std::exp(s - m_new);
        l = l * keep + p;
        acc = acc * keep + p * v.row(j).segment(at, d_head);
        m = m_new;
      }
      out.row(i).segment(at, d_head) = acc / l;
    }
  }
  return {out * w_o, {}};
}
