#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

static void softmax(Matrix& m) {
  for (Index i = 0; i < m.rows(); ++i) {
    const Scalar top = m.row(i).maxCoeff();
    for (Index j = 0; j < m.cols(); ++j) m(i, j) = std::exp(m(i, j) - top);
    m.row(i) /= m.row(i).sum();
  }
}

static Matrix scores(const Matrix& q, const Matrix& k) {
  Matrix s = q * k.transpose() / std::sqrt(Scalar(k.cols()));
  s.triangularView<Eigen::StrictlyUpper>().setConstant(-std::numeric_limits<Scalar>::infinity());
  softmax(s);
  return s;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Attention out{Matrix(x.rows(), x.cols()), {}};
  for (Index h = 0; h < n_heads; ++h) {
    Matrix p = scores(q.middleCols(h * d, d), k.middleCols(h * d, d));
    softmax(p);
    out.y.middleCols(h * d, d) = p * v.middleCols(h * d, d);
    out.weights.push_back(p);
  }
  out.y *= w_o;
  return out;
}
