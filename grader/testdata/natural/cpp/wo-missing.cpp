#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& /*w_o*/, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Attention result;
  result.y = Matrix::Zero(T, x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    Matrix w = Matrix::Zero(T, T);
    for (Index i = 0; i < T; ++i) {
      for (Index j = 0; j <= i; ++j)
        w(i, j) = q.row(i).segment(h * d, d).dot(k.row(j).segment(h * d, d)) / std::sqrt(Scalar(d));
      auto row = w.row(i).head(i + 1);
      row = (row.array() - row.maxCoeff()).exp().matrix().eval();
      row /= row.sum();
      for (Index j = 0; j <= i; ++j) result.y.row(i).segment(h * d, d) += w(i, j) * v.row(j).segment(h * d, d);
    }
    result.weights.push_back(w);
  }
  return result;
}
