#include <attest/exercise.hpp>

// Array style: one additive mask, one expression per step.
attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  using attest::Matrix;
  const auto T = x.rows();
  const auto dh = x.cols() / n_heads;
  const attest::Scalar ninf = -std::numeric_limits<attest::Scalar>::infinity();

  Matrix mask = Matrix::Zero(T, T);
  mask.triangularView<Eigen::StrictlyUpper>().setConstant(ninf);

  const Matrix q = x * w_q / std::sqrt(attest::Scalar(n_heads));
  const Matrix k = x * w_k;
  const Matrix v = x * w_v;

  attest::Attention res;
  Matrix z(T, x.cols());
  for (attest::Index g = 0; g < n_heads; ++g) {
    Matrix s = q.middleCols(g * dh, dh) * k.middleCols(g * dh, dh).transpose() + mask;
    s.colwise() -= s.rowwise().maxCoeff().eval();
    s = s.array().exp();
    s.array().colwise() /= s.rowwise().sum().array().eval();
    z.middleCols(g * dh, dh) = s * v.middleCols(g * dh, dh);
    res.weights.push_back(s);
  }
  res.y = z * w_o;
  return res;
}
