#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), d = x.cols() / n_heads;
  const Scalar inf = std::numeric_limits<Scalar>::infinity();

  // visible(i, j) is 1 when token i may look at token j
  Matrix visible = Matrix::Zero(n, n);
  visible.triangularView<Eigen::Lower>().setOnes();

  Matrix z(n, x.cols());
  Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d);
    const Matrix k = x * w_k.middleCols(h * d, d);
    const Matrix v = x * w_v.middleCols(h * d, d);
    Matrix a(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j)
        a(i, j) = q.row(i).dot(k.row(j)) / std::sqrt(Scalar(d)) - (1 - visible(i, j)) * inf;
      const Scalar top = a.row(i).maxCoeff();
      a.row(i) = (a.row(i).array() - top).exp().eval();
      a.row(i) /= a.row(i).sum();
    }
    z.middleCols(h * d, d) = a * v;
    weights.push_back(a);
  }
  return {z * w_o, weights};
}
