#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), hd = x.cols() / n_heads;
  Matrix out = Matrix::Zero(T, x.cols());
  Matrix sum = Matrix::Zero(T, T);
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * hd, hd);
    const Matrix k = x * w_k.middleCols(h * hd, hd);
    const Matrix v = x * w_v.middleCols(h * hd, hd);
    Matrix attn = q * k.transpose() * (1 / std::sqrt(Scalar(hd)));
    for (Index i = 0; i < T; ++i) {
      const Scalar top = attn.row(i).head(i + 1).maxCoeff();
      Scalar z = 0;
      for (Index j = 0; j <= i; ++j) z += std::exp(attn(i, j) - top);
      for (Index j = 0; j < T; ++j) attn(i, j) = j <= i ? std::exp(attn(i, j) - top) / z : 0;
    }
    out += attn * v * w_o.middleRows(hd * h, hd);
    sum += attn;
  }
  const Matrix mean = sum / Scalar(n_heads);
  return {out, attest::Heads(n_heads, mean)};
}
