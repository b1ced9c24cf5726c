#include <attest/exercise.hpp>

using namespace attest;
using BoolMatrix = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), dh = x.cols() / n_heads;
  BoolMatrix mask(T, T);
  for (Index i = 0; i < T; ++i)
    for (Index j = 0; j < T; ++j) mask(i, j) = i >= j;
  const Matrix hidden = Matrix::Constant(T, T, -std::numeric_limits<Scalar>::infinity());

  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Attention res{Matrix(T, x.cols()), {}};
  for (Index g = 0; g < n_heads; ++g) {
    Matrix scores = q.middleCols(g * dh, dh) * k.middleCols(g * dh, dh).transpose() / std::sqrt(Scalar(dh));
    scores = mask.select(hidden, scores).eval();
    Matrix w = (scores.colwise() - scores.rowwise().maxCoeff()).array().exp();
    w.array().colwise() /= w.rowwise().sum().array().eval();
    res.y.middleCols(g * dh, dh) = w * v.middleCols(g * dh, dh);
    res.weights.push_back(w);
  }
  res.y = (res.y * w_o).eval();
  return res;
}
