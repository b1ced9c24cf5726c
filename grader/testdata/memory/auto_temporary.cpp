// `auto` keeps the expression, and the expression refers to a matrix that is gone.
#include <attest/exercise.hpp>

using attest::Matrix;

static Matrix product(const Matrix& a, const Matrix& b) { return a * b; }

attest::Attention causal_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v) {
  const attest::Scalar scale = std::sqrt(attest::Scalar(w_q.cols()));
  auto q = product(x, w_q) / scale;
  auto k = product(x, w_k).transpose();
  Matrix weights = q * k;
  for (attest::Index i = 0; i < x.rows(); ++i) {
    const attest::Scalar top = weights.row(i).head(i + 1).maxCoeff();
    for (attest::Index j = 0; j < x.rows(); ++j) weights(i, j) = j <= i ? std::exp(weights(i, j) - top) : 0;
    weights.row(i) /= weights.row(i).sum();
  }
  return {weights * (x * w_v), {weights}};
}
