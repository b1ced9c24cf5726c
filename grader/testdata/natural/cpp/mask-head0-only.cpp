#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;

  // the scores of all heads, one below the other: (n_heads * T, T)
  Matrix s(n_heads * T, T);
  for (Index h = 0; h < n_heads; ++h)
    s.middleRows(h * T, T) = q.middleCols(h * d, d) * k.middleCols(h * d, d).transpose() / std::sqrt(Scalar(d));

  for (Index i = 0; i < T; ++i)
    for (Index j = i + 1; j < T; ++j) s(i, j) = -std::numeric_limits<Scalar>::infinity();

  for (Index r = 0; r < s.rows(); ++r) {
    s.row(r) = (s.row(r).array() - s.row(r).maxCoeff()).exp().eval();
    s.row(r) /= s.row(r).sum();
  }

  Matrix merged(T, x.cols());
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    weights.push_back(s.middleRows(h * T, T));
    merged.middleCols(h * d, d) = weights[h] * v.middleCols(h * d, d);
  }
  return {merged * w_o, weights};
}
