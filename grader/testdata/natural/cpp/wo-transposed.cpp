#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), D = x.cols(), d = D / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix merged(T, D);
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    Matrix p = Matrix::Zero(T, T);
    for (Index i = 0; i < T; ++i) {
      auto row = p.row(i).head(i + 1);
      row = q.block(i, h * d, 1, d) * k.block(0, h * d, i + 1, d).transpose() / std::sqrt(Scalar(d));
      row.array() -= row.maxCoeff();
      for (Index j = 0; j <= i; ++j) row(j) = std::exp(row(j));
      row /= row.sum();
    }
    merged.middleCols(h * d, d) = p * v.middleCols(h * d, d);
    weights.push_back(p);
  }

  Matrix y = Matrix::Zero(T, D);
  for (Index t = 0; t < T; ++t)
    for (Index c = 0; c < D; ++c)
      for (Index r = 0; r < D; ++r) y(t, c) += merged(t, r) * w_o(c, r);
  return {y, weights};
}
