#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

// IEEE half has 11 significant bits and ends at 65504
static Scalar to_half(Scalar s) {
  if (s == 0) return s;
  int exponent;
  const Scalar m = std::frexp(s, &exponent);
  const int bits = exponent < -13 ? 24 + exponent : 11;  // fewer for the subnormal ones
  const Scalar r = std::ldexp(std::nearbyint(std::ldexp(m, bits)), exponent - bits);
  return std::abs(r) > 65504 ? std::copysign(std::numeric_limits<Scalar>::infinity(), s) : r;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix out(T, x.cols());
  attest::Heads attn(n_heads, Matrix::Zero(T, T));
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix raw = q.middleCols(h * d, d) * k.middleCols(h * d, d).transpose();
    const Matrix s = raw.unaryExpr(&to_half);  // stored in half precision
    for (Index i = 0; i < T; ++i) {
      auto row = attn[h].row(i).head(i + 1);
      row = s.row(i).head(i + 1) / std::sqrt(Scalar(d));
      const Scalar top = row.maxCoeff();
      for (Index j = 0; j <= i; ++j) row(j) = std::exp(row(j) - top);
      row /= row.sum();
    }
    out.middleCols(h * d, d) = attn[h] * v.middleCols(h * d, d);
  }
  return {out * w_o, attn};
}
