#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

struct Projected {
  Matrix q, k, v;
};

static Projected project(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v) {
  return {x * w_q, x * w_k, x * w_v};
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, Index n_heads) {
  const Projected p = project(x, w_q, w_k, w_v);
  const Index n = x.rows(), d = x.cols() / n_heads;

  Matrix out = Matrix::Zero(n, x.cols());
  attest::Heads attn;
  for (Index h = 0; h < n_heads; ++h) {
    const auto q = p.q.middleCols(h * d, d);
    const auto k = p.k.middleCols(h * d, d);
    Matrix w = Matrix::Zero(n, n);
    for (Index t = 0; t < n; ++t) {
      Eigen::Matrix<Scalar, 1, Eigen::Dynamic> s = q.row(t) * k.topRows(t + 1).transpose();
      s /= std::sqrt(Scalar(d));
      const Scalar m = s.maxCoeff();
      for (Index j = 0; j <= t; ++j) s(j) = std::exp(s(j) - m);
      w.row(t).head(t + 1) = s / s.sum();
      out.row(t).segment(h * d, d) = w.row(t).head(t + 1) * k.topRows(t + 1);
    }
    attn.push_back(w);
  }
  return {out * w_o, attn};
}
