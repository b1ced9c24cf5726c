#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;

  Matrix map = Matrix::Zero(T, T);
  for (Index h = 0; h < n_heads; ++h) {
    for (Index i = 0; i < T; ++i) {
      Eigen::Array<Scalar, 1, Eigen::Dynamic> s(i + 1);
      for (Index j = 0; j <= i; ++j)
        s(j) = q.row(i).segment(h * d, d).dot(k.row(j).segment(h * d, d)) / std::sqrt(Scalar(d));
      s = (s - s.maxCoeff()).exp().eval();
      map.row(i).head(i + 1) += (s / s.sum()).matrix() / Scalar(n_heads);
    }
  }

  Matrix merged(T, x.cols());
  for (Index h = 0; h < n_heads; ++h) merged.middleCols(h * d, d) = map * v.middleCols(h * d, d);
  return {merged * w_o, Heads(n_heads, map)};
}
