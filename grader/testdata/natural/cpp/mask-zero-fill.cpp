#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), size = x.cols() / n_heads;
  Matrix qkv(n, 3 * x.cols());
  qkv << x * w_q, x * w_k, x * w_v;

  Matrix ctx(n, x.cols());
  attest::Heads p(n_heads, Matrix::Zero(n, n));
  for (Index h = 0; h < n_heads; ++h) {
    const auto q = qkv.middleCols(h * size, size);
    const auto k = qkv.middleCols(x.cols() + h * size, size);
    const auto v = qkv.middleCols(2 * x.cols() + h * size, size);
    // lower triangle only, the rest stays 0
    p[h].triangularView<Eigen::Lower>() = q * k.transpose() / std::sqrt(Scalar(size));
    for (Index i = 0; i < n; ++i) {
      const Scalar m = p[h].row(i).maxCoeff();
      Scalar z = 0;
      for (Index j = 0; j < n; ++j) z += p[h](i, j) = std::exp(p[h](i, j) - m);
      p[h].row(i) /= z;
    }
    ctx.middleCols(h * size, size) = p[h] * v;
  }
  return {ctx * w_o, p};
}
