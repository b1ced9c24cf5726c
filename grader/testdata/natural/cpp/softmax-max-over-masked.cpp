#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), hd = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix concat(T, x.cols());
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    Matrix p = Matrix::Zero(T, T);
    for (Index i = 0; i < T; ++i) {
      Eigen::Matrix<Scalar, 1, Eigen::Dynamic> s = q.row(i).segment(h * hd, hd) * k.middleCols(h * hd, hd).transpose();
      s /= std::sqrt(Scalar(hd));
      const Scalar biggest = s.maxCoeff();
      Scalar sum = 0;
      for (Index j = 0; j <= i; ++j) {
        p(i, j) = std::exp(s(j) - biggest);
        sum += p(i, j);
      }
      p.row(i).head(i + 1) /= sum;
    }
    concat.middleCols(h * hd, hd) = p * v.middleCols(h * hd, hd);
    weights.push_back(p);
  }
  return {concat * w_o, weights};
}
