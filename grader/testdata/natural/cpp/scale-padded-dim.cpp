#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

constexpr Index kAlign = 8;

static Matrix aligned(const Matrix& m) {
  const Index width = (m.cols() + kAlign - 1) & ~(kAlign - 1);
  Matrix wide = Matrix::Zero(m.rows(), width);
  wide.leftCols(m.cols()) = m;
  return wide;
}

static Matrix attention_weights(const Matrix& q, const Matrix& k) {
  Matrix s = q * k.transpose();
  s *= Scalar(1) / std::sqrt(Scalar(q.cols()));
  for (Index i = 0; i < s.rows(); ++i) {
    s.row(i).tail(s.cols() - i - 1).setZero();
    auto row = s.row(i).head(i + 1);
    const Scalar m = row.maxCoeff();
    row = row.unaryExpr([m](Scalar e) { return std::exp(e - m); }).eval();
    row /= row.sum();
  }
  return s;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index d = x.cols() / n_heads;
  attest::Attention r{Matrix::Zero(x.rows(), x.cols()), {}};
  for (Index c = 0; c < x.cols(); c += d) {
    const Matrix a = attention_weights(aligned(x * w_q.middleCols(c, d)), aligned(x * w_k.middleCols(c, d)));
    r.y += a * (x * w_v.middleCols(c, d)) * w_o.middleRows(c, d);
    r.weights.push_back(a);
  }
  return r;
}
