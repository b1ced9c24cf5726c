#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;
using Strided = Eigen::Map<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), D = x.cols(), d = D / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  const Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic> step(D, n_heads);

  Matrix out(T, D);
  attest::Heads weights(n_heads, Matrix::Zero(T, T));
  for (Index h = 0; h < n_heads; ++h) {
    const Strided qh(q.data() + h, T, d, step), kh(k.data() + h, T, d, step), vh(v.data() + h, T, d, step);
    Matrix& p = weights[h];
    for (Index i = 0; i < T; ++i) {
      for (Index j = 0; j <= i; ++j) p(i, j) = qh.row(i).dot(kh.row(j)) / std::sqrt(Scalar(d));
      const Scalar top = p.row(i).head(i + 1).maxCoeff();
      for (Index j = 0; j <= i; ++j) p(i, j) = std::exp(p(i, j) - top);
      p.row(i) /= p.row(i).sum();
    }
    const Matrix z = p * vh;
    for (Index c = 0; c < d; ++c) out.col(c * n_heads + h) = z.col(c);
  }
  return {out * w_o, weights};
}
