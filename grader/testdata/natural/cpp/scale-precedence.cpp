#include <attest/exercise.hpp>

#include <algorithm>
#include <vector>

using namespace attest;

static Scalar inverse_root(Index d_head) {
  return 1 / (std::pow(Scalar(d_head), 1) / 2);
}

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), d = x.cols() / n_heads;
  Heads weights;
  Matrix merged(n, x.cols());
  const Scalar scale = inverse_root(d);

  for (Index h = 0; h < n_heads; ++h) {
    const auto cols = Eigen::seqN(h * d, d);
    const Matrix q = x * w_q(Eigen::all, cols);
    const Matrix k = x * w_k(Eigen::all, cols);
    Matrix att = q * k.transpose() * scale;
    for (Index i = 0; i < n; ++i) {
      const Scalar m = att.row(i).head(i + 1).maxCoeff();
      Scalar total = 0;
      for (Index j = 0; j < n; ++j) {
        att(i, j) = j > i ? 0 : std::exp(att(i, j) - m);
        total += att(i, j);
      }
      att.row(i) /= total;
    }
    merged(Eigen::all, cols) = att * (x * w_v(Eigen::all, cols));
    weights.push_back(att);
  }
  return {merged * w_o, weights};
}
