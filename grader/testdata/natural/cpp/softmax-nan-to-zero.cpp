#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

static Matrix softmax(const Matrix& s) {
  Matrix p(s.rows(), s.cols());
  for (Index i = 0; i < s.rows(); ++i) {
    Scalar total = 0;
    for (Index j = 0; j < s.cols(); ++j) total += p(i, j) = std::exp(s(i, j));
    for (Index j = 0; j < s.cols(); ++j) {
      p(i, j) /= total;
      if (std::isnan(p(i, j))) p(i, j) = 0;
    }
  }
  return p;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), d = x.cols() / n_heads;
  Matrix out(n, x.cols());
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    auto part = [&](const Matrix& w) -> Matrix { return x * w.middleCols(h * d, d); };
    Matrix s = part(w_q) * part(w_k).transpose() / std::sqrt(Scalar(d));
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) s(i, j) = -INFINITY;
    weights.push_back(softmax(s));
    out.middleCols(h * d, d) = weights.back() * part(w_v);
  }
  return {out * w_o, weights};
}
