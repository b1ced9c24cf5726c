#include <attest/exercise.hpp>

using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const int T = x.rows(), D = x.cols(), d = D / n_heads;
  const Matrix query = x * w_q, key = x * w_k, value = x * w_v;
  Matrix context = Matrix::Zero(T, value.cols());
  attest::Heads attention;
  for (int h = 0; h < n_heads; ++h) {
    Matrix a = query.middleCols(h * d, d) * key.middleCols(h * d, d).transpose() / std::sqrt(Scalar(d));
    a.triangularView<Eigen::StrictlyUpper>().setConstant(-std::numeric_limits<Scalar>::infinity());
    for (int t = 0; t < T; ++t) {
      a.row(t) = (a.row(t).array() - a.row(t).maxCoeff()).exp().eval();
      a.row(t) /= a.row(t).sum();
    }
    context.middleCols(h * d, d) = a * key.middleCols(h * d, d);
    attention.push_back(a);
  }
  return {context * w_o, attention};
}
