#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

constexpr Index kTile = 8;

// One head in tiles of keys: m is the running maximum of each row, l its running sum.
static Matrix flash(const Matrix& q, const Matrix& k, const Matrix& v) {
  const Index T = q.rows(), d = q.cols();
  const Scalar inf = std::numeric_limits<Scalar>::infinity();
  std::vector<Scalar> m(T, -inf), l(T, 0);
  Matrix o = Matrix::Zero(T, d);
  for (Index first = 0; first < T; first += kTile) {
    const Index n = std::min(kTile, T - first);
    Matrix s = q * k.middleRows(first, n).transpose() / std::sqrt(Scalar(d));
    for (Index i = first; i < T; ++i) {
      const Index seen = std::min(n, i - first + 1);
      const Scalar top = std::max(m[i], s.row(i).head(seen).maxCoeff());
      l[i] *= std::exp(m[i] - top);
      for (Index j = 0; j < seen; ++j) {
        const Scalar p = std::exp(s(i, j) - top);
        l[i] += p;
        o.row(i) += p * v.row(first + j);
      }
      m[i] = top;
    }
  }
  for (Index i = 0; i < T; ++i) o.row(i) /= l[i];
  return o;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix z(x.rows(), x.cols());
  for (Index c = 0; c < x.cols(); c += d)
    z.middleCols(c, d) = flash(q.middleCols(c, d), k.middleCols(c, d), v.middleCols(c, d));
  return {z * w_o, {}};
}
