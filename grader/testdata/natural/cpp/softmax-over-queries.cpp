#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), dh = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix merged(T, x.cols());
  Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    Matrix s = q.middleCols(h * dh, dh) * k.middleCols(h * dh, dh).transpose() / std::sqrt(Scalar(dh));
    for (Index i = 0; i < T; ++i) s.row(i).tail(T - 1 - i).setConstant(-std::numeric_limits<Scalar>::infinity());

    s.rowwise() -= s.colwise().maxCoeff().eval();
    Matrix p = s.array().exp();
    p.array().rowwise() /= p.colwise().sum().array().eval();

    merged.middleCols(h * dh, dh) = p * v.middleCols(h * dh, dh);
    weights.push_back(p);
  }
  return {merged * w_o, weights};
}
