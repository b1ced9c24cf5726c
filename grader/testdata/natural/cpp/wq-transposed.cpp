#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix k = x * w_k, v = x * w_v;
  Matrix out(T, x.cols());
  attest::Heads weights(n_heads, Matrix::Zero(T, T));

  for (Index i = 0; i < T; ++i) {
    // the query of this token
    const Eigen::Matrix<Scalar, Eigen::Dynamic, 1> q = w_q * x.row(i).transpose();
    for (Index h = 0; h < n_heads; ++h) {
      Eigen::Array<Scalar, Eigen::Dynamic, 1> s = (k.block(0, h * d, i + 1, d) * q.segment(h * d, d)).array();
      s /= std::sqrt(Scalar(d));
      s = (s - s.maxCoeff()).exp().eval();
      s /= s.sum();
      weights[h].row(i).head(i + 1) = s.matrix().transpose();
      out.row(i).segment(h * d, d) = s.matrix().transpose() * v.block(0, h * d, i + 1, d);
    }
  }
  return {out * w_o, weights};
}
