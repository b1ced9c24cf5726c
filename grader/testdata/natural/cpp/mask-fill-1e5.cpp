#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d_head = x.cols() / n_heads;
  const Scalar scale = 1 / std::sqrt(Scalar(d_head));
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;

  Attention a;
  Matrix merged(T, x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    Matrix s = scale * (q.middleCols(h * d_head, d_head) * k.middleCols(h * d_head, d_head).transpose());
    s.triangularView<Eigen::StrictlyUpper>().setConstant(-1e5);
    for (Index i = 0; i < T; ++i) {
      const Scalar m = s.row(i).maxCoeff();
      s.row(i) = s.row(i).unaryExpr([m](Scalar e) { return std::exp(e - m); }).eval();
      s.row(i) /= s.row(i).sum();
    }
    merged.middleCols(h * d_head, d_head) = s * v.middleCols(h * d_head, d_head);
    a.weights.push_back(std::move(s));
  }
  a.y = merged * w_o;
  return a;
}
