#include <attest/exercise.hpp>

using attest::Matrix;
using attest::Scalar;

static Matrix softmax(Matrix s) {
  s.colwise() -= s.rowwise().maxCoeff().eval();
  s = s.array().exp();
  const Eigen::Array<Scalar, Eigen::Dynamic, 1> total = 1 + s.array().rowwise().sum();
  s.array().colwise() /= total;
  return s;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const auto T = x.rows(), d = x.cols() / n_heads;
  Matrix y = Matrix::Zero(T, x.cols());
  attest::Heads weights;
  for (attest::Index g = 0; g < n_heads; ++g) {
    const Matrix q = x * w_q.middleCols(g * d, d);
    const Matrix k = x * w_k.middleCols(g * d, d);
    Matrix scores = q * k.transpose() / std::sqrt(Scalar(d));
    for (attest::Index i = 0; i < T; ++i)
      for (attest::Index j = i + 1; j < T; ++j) scores(i, j) = -std::numeric_limits<Scalar>::infinity();
    weights.push_back(softmax(scores));
    y += weights.back() * (x * w_v.middleCols(g * d, d)) * w_o.middleRows(g * d, d);
  }
  return {y, weights};
}
