#include <attest/exercise.hpp>

#include <utility>

using attest::Matrix;

static std::pair<Matrix, Matrix> attend(const Matrix& q, const Matrix& k, const Matrix& v) {
  const int n = q.rows();
  Matrix p = Matrix::Zero(n, n);
  Matrix s = q * k.transpose() / std::sqrt(attest::Scalar(q.cols()));
  for (int i = 0; i < n; ++i) {
    attest::Scalar best = s.row(i).head(i + 1).maxCoeff();
    attest::Scalar sum = 0;
    for (int j = 0; j <= i; ++j) sum += std::exp(s(i, j) - best);
    for (int j = 0; j <= i; ++j) p(i, j) = std::exp(s(i, j) - best) / sum;
  }
  return {p * v, p};
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, attest::Index n_heads) {
  const int dh = x.cols() / n_heads;
  attest::Heads weights;
  Matrix concat(x.rows(), 0);
  for (int h = 0; h < n_heads; ++h) {
    auto [out, p] = attend(x * w_q.middleCols(h * dh, dh), x * w_k.middleCols(h * dh, dh),
                           x * w_v.middleCols(h * dh, dh));
    Matrix wider(x.rows(), concat.cols() + dh);
    wider << out, concat;
    concat = wider;
    weights.push_back(p);
  }
  return {concat * w_o, weights};
}
