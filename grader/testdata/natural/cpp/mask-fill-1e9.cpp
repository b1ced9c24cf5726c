#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

// scores for one head, future tokens hidden
static Matrix masked_scores(const Matrix& q, const Matrix& k) {
  Matrix s(q.rows(), k.rows());
  for (Index i = 0; i < s.rows(); ++i) {
    for (Index j = 0; j < s.cols(); ++j) {
      if (j > i)
        s(i, j) = Scalar(-1e9);
      else
        s(i, j) = q.row(i).dot(k.row(j)) / std::sqrt(Scalar(q.cols()));
    }
  }
  return s;
}

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index d = x.cols() / n_heads;
  Matrix y = Matrix::Zero(x.rows(), x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    Matrix p = masked_scores(x * w_q.middleCols(h * d, d), x * w_k.middleCols(h * d, d));
    p = (p.colwise() - p.rowwise().maxCoeff()).array().exp().matrix().eval();
    for (Index i = 0; i < p.rows(); ++i) p.row(i) /= p.row(i).sum();
    y += p * x * w_v.middleCols(h * d, d) * w_o.middleRows(h * d, d);
  }
  return {y, {}};
}
