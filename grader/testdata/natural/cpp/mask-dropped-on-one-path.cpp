#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;
using RowVec = Eigen::Matrix<Scalar, 1, Eigen::Dynamic>;

static RowVec softmax(const RowVec& s) {
  const RowVec e = (s.array() - s.maxCoeff()).exp();
  return e / e.sum();
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix merged(T, x.cols());
  attest::Heads weights;

  for (Index h = 0; h < n_heads; ++h) {
    const auto qh = q.middleCols(h * d, d);
    const auto kh = k.middleCols(h * d, d);
    const auto vh = v.middleCols(h * d, d);
    const Matrix s = qh * kh.transpose() / std::sqrt(Scalar(d));
    // the output needs the visible part only
    for (Index i = 0; i < T; ++i)
      merged.row(i).segment(h * d, d) = softmax(s.row(i).head(i + 1)) * vh.topRows(i + 1);
    // and the maps for the caller
    Matrix a(T, T);
    for (Index i = 0; i < T; ++i) a.row(i) = softmax(s.row(i));
    weights.push_back(a);
  }
  return {merged * w_o, weights};
}
