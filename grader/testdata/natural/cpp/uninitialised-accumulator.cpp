#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  Matrix y(T, x.cols());
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d);
    const Matrix k = x * w_k.middleCols(h * d, d);
    const Matrix v = x * w_v.middleCols(h * d, d);
    Matrix p = Matrix::Zero(T, T);
    for (Index i = 0; i < T; ++i) {
      for (Index j = 0; j <= i; ++j) p(i, j) = q.row(i).dot(k.row(j)) / std::sqrt(Scalar(d));
      const Scalar top = p.row(i).head(i + 1).maxCoeff();
      for (Index j = 0; j <= i; ++j) p(i, j) = std::exp(p(i, j) - top);
      p.row(i) /= p.row(i).sum();
    }
    y += p * v * w_o.middleRows(h * d, d);  // each head adds its part
    weights.push_back(p);
  }
  return {y, weights};
}
