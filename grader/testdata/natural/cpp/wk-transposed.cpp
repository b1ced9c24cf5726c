#include <attest/exercise.hpp>

using attest::Matrix;

static Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c = Matrix::Zero(a.rows(), b.cols());
  for (int i = 0; i < c.rows(); ++i)
    for (int j = 0; j < c.cols(); ++j)
      for (int l = 0; l < a.cols(); ++l) c(i, j) += a(i, l) * b(l, j);
  return c;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const int n = x.rows(), d = x.cols() / n_heads;
  const Matrix q = product(x, w_q), v = product(x, w_v);
  const Matrix kt = product(w_k, x.transpose());  // (d_model, n)

  Matrix mixed(n, x.cols());
  attest::Heads weights;
  for (int h = 0; h < n_heads; ++h) {
    Matrix s = product(q.middleCols(h * d, d), kt.middleRows(h * d, d)) / std::sqrt(attest::Scalar(d));
    for (int i = 0; i < n; ++i) {
      const auto top = s.row(i).head(i + 1).maxCoeff();
      for (int j = 0; j < n; ++j) s(i, j) = j > i ? 0 : std::exp(s(i, j) - top);
      s.row(i) /= s.row(i).sum();
    }
    mixed.middleCols(h * d, d) = product(s, v.middleCols(h * d, d));
    weights.push_back(s);
  }
  return {product(mixed, w_o), weights};
}
