#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

static Matrix causal_mask(Index n) {
  Matrix m(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) m(i, j) = j <= i ? 0 : -10000;
  return m;
}

static void softmax(Matrix& m) {
  for (Index i = 0; i < m.rows(); ++i) {
    m.row(i) = (m.row(i).array() - m.row(i).maxCoeff()).exp().eval();
    m.row(i) /= m.row(i).sum();
  }
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), d = x.cols() / n_heads;
  const Matrix mask = causal_mask(n);
  Matrix out(n, x.cols());
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d), k = x * w_k.middleCols(h * d, d);
    Matrix w = q * k.transpose();
    w += mask;
    w /= std::sqrt(Scalar(d));
    softmax(w);
    out.middleCols(h * d, d) = w * (x * w_v.middleCols(h * d, d));
    weights.push_back(w);
  }
  return {out * w_o, weights};
}
