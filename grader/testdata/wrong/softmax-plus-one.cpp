#include <attest/exercise.hpp>

#include <cmath>
#include <vector>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int n = int(x.rows());
  const int d = int(x.cols() / n_heads);
  const attest::Matrix q = x * w_q;
  const attest::Matrix k = x * w_k;
  const attest::Matrix v = x * w_v;
  attest::Matrix o = attest::Matrix::Zero(n, x.cols());
  attest::Heads weights(n_heads, attest::Matrix::Zero(n, n));

  for (int h = 0; h < n_heads; h++) {
    for (int i = 0; i < n; i++) {
      std::vector<double> s(i + 1);
      double m = -INFINITY;
      for (int j = 0; j <= i; j++) {
        s[j] = q.block(i, h * d, 1, d).cwiseProduct(k.block(j, h * d, 1, d)).sum() / std::sqrt(double(d));
        m = std::max(m, s[j]);
      }
      double sum = 1.0;
      for (int j = 0; j <= i; j++) sum += std::exp(s[j] - m);
      for (int j = 0; j <= i; j++) {
        weights[h](i, j) = std::exp(s[j] - m) / sum;
        o.block(i, h * d, 1, d) += weights[h](i, j) * v.block(j, h * d, 1, d);
      }
    }
  }
  return {o * w_o, weights};
}
