#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  Matrix mask = Matrix::Zero(T, T);
  for (Index i = 0; i < T; ++i) mask.row(i).tail(T - i - 1).setConstant(-std::numeric_limits<Scalar>::infinity());

  Heads weights;
  Matrix heads = Matrix::Zero(T, d);
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d), k = x * w_k.middleCols(h * d, d), v = x * w_v.middleCols(h * d, d);
    Matrix a = q * k.transpose() / std::sqrt(Scalar(d)) + mask;
    a = (a.colwise() - a.rowwise().maxCoeff()).array().exp().matrix().eval();
    for (auto row : a.rowwise()) row /= row.sum();
    heads += a * v;
    weights.push_back(a);
  }

  Matrix y = Matrix::Zero(T, x.cols());
  for (Index h = 0; h < n_heads; ++h) y += heads * w_o.middleRows(h * d, d);
  return {y, weights};
}
