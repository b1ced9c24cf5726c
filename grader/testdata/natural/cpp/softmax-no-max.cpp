#include <attest/exercise.hpp>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int T = x.rows(), C = x.cols(), D = C / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Attention result;
  result.y = attest::Matrix::Zero(T, C);
  for (int h = 0; h < n_heads; ++h) {
    attest::Matrix a = attest::Matrix::Zero(T, T);
    for (int i = 0; i < T; ++i) {
      double sum = 0;
      for (int j = 0; j <= i; ++j) {
        double dot = 0;
        for (int c = h * D; c < h * D + D; ++c) dot += q(i, c) * k(j, c);
        a(i, j) = std::exp(dot / std::sqrt(D));
        sum += a(i, j);
      }
      for (int j = 0; j <= i; ++j) a(i, j) /= sum;
    }
    result.y += a * v.middleCols(h * D, D) * w_o.middleRows(h * D, D);
    result.weights.push_back(a);
  }
  return result;
}
