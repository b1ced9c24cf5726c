#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;
using Array = Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix Q = x * w_q, K = x * w_k, V = x * w_v;
  Matrix out(T, x.cols());
  attest::Heads weights(n_heads, Matrix::Zero(T, T));

  for (Index i = 0; i < T; ++i) {
    Array s(n_heads, i + 1);  // what token i thinks of tokens 0..i, in each head
    for (Index h = 0; h < n_heads; ++h)
      s.row(h) = (Q.row(i).segment(h * d, d) * K.block(0, h * d, i + 1, d).transpose()).array() / std::sqrt(Scalar(d));
    s = (s - s.maxCoeff()).exp().eval();
    s /= s.sum();
    for (Index h = 0; h < n_heads; ++h) {
      weights[h].row(i).head(i + 1) = s.row(h).matrix();
      out.row(i).segment(h * d, d) = s.row(h).matrix() * V.block(0, h * d, i + 1, d);
    }
  }
  return {out * w_o, weights};
}
