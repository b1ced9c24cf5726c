#include <attest/exercise.hpp>

using namespace attest;

constexpr Index kTile = 8;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Index padded = (T + kTile - 1) / kTile * kTile;
  Matrix k = Matrix::Zero(padded, x.cols()), v = k;
  k.topRows(T) = x * w_k;
  v.topRows(T) = x * w_v;
  const Matrix q = x * w_q;

  Matrix merged(T, x.cols());
  Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    Matrix s(T, padded);
    for (Index t = 0; t < padded; t += kTile)
      s.middleCols(t, kTile) = q.middleCols(h * d, d) * k.block(t, h * d, kTile, d).transpose() / std::sqrt(Scalar(d));
    for (Index i = 0; i < T; ++i) {
      for (Index j = i + 1; j < T; ++j) s(i, j) = -std::numeric_limits<Scalar>::infinity();
      const Scalar top = s.row(i).maxCoeff();
      s.row(i) = s.row(i).unaryExpr([top](Scalar e) { return std::exp(e - top); }).eval();
      s.row(i) /= s.row(i).sum();
    }
    merged.middleCols(h * d, d) = s * v.middleCols(h * d, d);
    weights.push_back(s.leftCols(T));
  }
  return {merged * w_o, weights};
}
