#include <attest/exercise.hpp>

using attest::Matrix;
using attest::Scalar;

static Matrix similarity(const Matrix& q, const Matrix& k) {
  return q * k.transpose() / std::sqrt(Scalar(q.cols()));
}

static Matrix causal_softmax(const Matrix& s) {
  Matrix a = Matrix::Zero(s.rows(), s.cols());
  for (int i = 0; i < s.rows(); ++i) {
    const auto seen = s.row(i).head(i + 1);
    a.row(i).head(i + 1) = (seen.array() - seen.maxCoeff()).exp();
    a.row(i) /= a.row(i).sum();
  }
  return a;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const int d = x.cols() / n_heads;
  Matrix out(x.rows(), x.cols());
  attest::Heads heads;
  for (int h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d);
    const Matrix k = x * w_k.middleCols(h * d, d);
    const Matrix v = x * w_v.middleCols(h * d, d);
    const Matrix scores = similarity(q, k) / std::sqrt(Scalar(d));
    const Matrix a = causal_softmax(scores);
    out.middleCols(h * d, d) = a * v;
    heads.push_back(a);
  }
  return {out * w_o, heads};
}
