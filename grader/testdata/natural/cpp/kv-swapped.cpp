#include <attest/exercise.hpp>

#include <utility>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

static std::pair<Matrix, Matrix> attention(const Matrix& q, const Matrix& k, const Matrix& v) {
  const Index n = q.rows();
  Matrix a = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    Eigen::Matrix<Scalar, Eigen::Dynamic, 1> s = k.topRows(i + 1) * q.row(i).transpose();
    s /= std::sqrt(Scalar(q.cols()));
    s = (s.array() - s.maxCoeff()).exp().matrix().eval();
    a.row(i).head(i + 1) = s.transpose() / s.sum();
  }
  return {a * v, a};
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index d = x.cols() / n_heads;
  Matrix merged(x.rows(), x.cols());
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    auto of_head = [&](const Matrix& w) { return Matrix(x * w.middleCols(h * d, d)); };
    const auto result = attention(of_head(w_q), of_head(w_v), of_head(w_k));
    merged.middleCols(h * d, d) = result.first;
    weights.push_back(result.second);
  }
  return {merged * w_o, weights};
}
