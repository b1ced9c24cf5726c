#include <attest/exercise.hpp>

using namespace attest;

static Matrix attend(const Matrix& q, const Matrix& k) {
  Matrix a = q * k.transpose() / std::sqrt(Scalar(q.cols()));
  a.triangularView<Eigen::StrictlyUpper>().setConstant(-std::numeric_limits<Scalar>::infinity());
  a.colwise() -= a.rowwise().maxCoeff().eval();
  a = a.array().exp();
  a.array().colwise() /= a.rowwise().sum().array().eval();
  return a;
}

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index d = x.cols() / n_heads;
  Heads weights, outputs;
  for (Index h = 0; h < n_heads; ++h) {
    weights.push_back(attend(x * w_q.middleCols(h * d, d), x * w_k.middleCols(h * d, d)));
    outputs.push_back(weights.back() * (x * w_v.middleCols(h * d, d)));
  }
  Matrix merged(x.rows(), x.cols());
  Index next = 0;
  for (Index c = 0; c < d; ++c)
    for (const Matrix& o : outputs) merged.col(next++) = o.col(c);
  return {merged * w_o, weights};
}
