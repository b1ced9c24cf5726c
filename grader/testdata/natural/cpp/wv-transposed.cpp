#include <attest/exercise.hpp>

using namespace attest;

struct Projections {
  Matrix q, k, v;
  Projections(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v) {
    q.noalias() = x * w_q;
    k.noalias() = x * w_k;
    v.noalias() = x * w_v.transpose();
  }
};

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Projections p(x, w_q, w_k, w_v);
  const Index T = x.rows(), d = x.cols() / n_heads;
  Matrix z(T, x.cols());
  Heads weights;
  for (Index c = 0; c < x.cols(); c += d) {
    Matrix a = p.q.middleCols(c, d) * p.k.middleCols(c, d).transpose();
    a /= std::sqrt(Scalar(d));
    for (Index i = 0; i < T; ++i) {
      a.row(i).tail(T - i - 1).setConstant(-std::numeric_limits<Scalar>::infinity());
      const Scalar m = a.row(i).maxCoeff();
      a.row(i) = a.row(i).unaryExpr([m](Scalar s) { return std::exp(s - m); }).eval();
      a.row(i) /= a.row(i).sum();
    }
    z.middleCols(c, d) = a * p.v.middleCols(c, d);
    weights.push_back(a);
  }
  return {z * w_o, weights};
}
