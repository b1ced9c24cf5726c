#include <attest/exercise.hpp>

#include <vector>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int n = x.rows(), dim = x.cols(), size = dim / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Matrix out = attest::Matrix::Zero(n, dim);
  attest::Heads weights(n_heads, attest::Matrix::Zero(n, n));
  for (int h = 0; h < n_heads; ++h) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        double score = 0;
        for (int c = h * size; c < (h + 1) * size; ++c) score += q(i, c) * k(j, c);
        score /= std::sqrt(double(size));
        weights[h](i, j) = score;
        for (int c = h * size; c < (h + 1) * size; ++c) out(i, c) += score * v(j, c);
      }
    }
  }
  return {out * w_o, weights};
}
