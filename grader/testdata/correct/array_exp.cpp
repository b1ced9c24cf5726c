#include <attest/exercise.hpp>

using namespace attest;

// Whole-matrix style: an additive mask of minus infinity, and array expressions for the softmax.
Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows();
  const Index d_head = x.cols() / n_heads;

  Matrix mask = Matrix::Zero(T, T);
  mask.triangularView<Eigen::StrictlyUpper>().setConstant(-std::numeric_limits<Scalar>::infinity());

  Attention out;
  Matrix heads(T, x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d_head, d_head);
    const Matrix k = x * w_k.middleCols(h * d_head, d_head);
    const Matrix v = x * w_v.middleCols(h * d_head, d_head);
    Matrix a = q * k.transpose() / std::sqrt(static_cast<Scalar>(d_head)) + mask;
    a = (a.colwise() - a.rowwise().maxCoeff()).array().exp().matrix().eval();
    a = a.array().colwise() / a.rowwise().sum().array().eval();
    heads.middleCols(h * d_head, d_head) = a * v;
    out.weights.push_back(a);
  }
  out.y = heads * w_o;
  return out;
}
