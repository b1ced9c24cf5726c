// Values that are shown on the way: whole, one head at a time, and as expressions.
#include <attest/exercise.hpp>

using attest::Heads;
using attest::Index;
using attest::Matrix;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = w_q.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::trace("q", q);
  attest::trace("k", k);
  Matrix merged(T, w_v.cols());
  Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    attest::trace("raw", q.middleCols(h * d, d) * k.middleCols(h * d, d).transpose());
    Matrix scores = q.middleCols(h * d, d) * k.middleCols(h * d, d).transpose() / std::sqrt(double(d));
    for (Index i = 0; i < T; ++i)
      scores.row(i).tail(T - i - 1).setConstant(-std::numeric_limits<double>::infinity());
    attest::trace("scores", scores.array());
    Matrix a = (scores.array() - 1).exp().matrix();
    for (Index j = 0; j < T; ++j) a.col(j) /= a.col(j).sum();
    attest::trace("a", a);
    merged.middleCols(h * d, d) = a * v.middleCols(h * d, d);
    weights.push_back(a);
  }
  attest::trace("weights", weights);
  return {merged * w_o, weights};
}
