#include <attest/exercise.hpp>

using attest::Matrix;
using attest::Scalar;

static Matrix softmax(Matrix m) {
  for (auto row : m.rowwise()) {
    const Scalar top = row.maxCoeff();
    row = row.unaryExpr([top](Scalar s) { return std::exp(s - top); }).eval();
    row /= row.sum();
  }
  return m;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const auto T = x.rows(), d = x.cols() / n_heads;
  Matrix mask = Matrix::Zero(T, T);
  for (int row = 0; row < T; ++row)
    for (int col = row + 1; col < T; ++col) mask(col, row) = -INFINITY;

  Matrix out(T, x.cols());
  attest::Heads weights;
  for (int h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d);
    const Matrix k = x * w_k.middleCols(h * d, d);
    Matrix att = q * k.transpose();
    att /= std::sqrt(Scalar(d));
    att += mask;
    weights.push_back(softmax(att));
    out.middleCols(h * d, d) = weights.back() * (x * w_v.middleCols(h * d, d));
  }
  return {out * w_o, weights};
}
