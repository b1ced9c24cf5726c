#include <attest/exercise.hpp>

#include <vector>

using attest::Index;
using attest::Matrix;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), d_model = x.cols(), d = d_model / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix z = Matrix::Zero(n, d_model);
  attest::Heads weights(n_heads, Matrix::Zero(n, n));

  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      // one score per head for this pair
      std::vector<double> s(n_heads);
      double top = -std::numeric_limits<double>::infinity();
      for (Index h = 0; h < n_heads; ++h) {
        s[h] = q.row(i).segment(h * d, d).dot(k.row(j).segment(h * d, d)) / std::sqrt(double(d));
        top = std::max(top, s[h]);
      }
      double sum = 0;
      for (double& e : s) {
        e = std::exp(e - top);
        sum += e;
      }
      for (Index h = 0; h < n_heads; ++h) {
        weights[h](i, j) = s[h] / sum;
        z.row(i).segment(h * d, d) += weights[h](i, j) * v.row(j).segment(h * d, d);
      }
    }
  }
  return {z * w_o, weights};
}
