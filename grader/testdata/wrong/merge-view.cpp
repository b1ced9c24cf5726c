#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d_model = x.cols(), d_head = d_model / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;

  Matrix stacked(n_heads * T, d_head);  // the heads one below the other
  Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    Matrix a = q.middleCols(h * d_head, d_head) * k.middleCols(h * d_head, d_head).transpose();
    a /= std::sqrt(Scalar(d_head));
    for (Index i = 0; i < T; ++i) {
      a.row(i).tail(T - i - 1).setConstant(-std::numeric_limits<Scalar>::infinity());
      const Scalar peak = a.row(i).maxCoeff();
      a.row(i) = a.row(i).unaryExpr([peak](Scalar s) { return std::exp(s - peak); });
      a.row(i) /= a.row(i).sum();
    }
    stacked.middleRows(h * T, T) = a * v.middleCols(h * d_head, d_head);
    weights.push_back(a);
  }

  const Matrix merged = Eigen::Map<const Matrix>(stacked.data(), T, d_model);
  return {merged * w_o, weights};
}
