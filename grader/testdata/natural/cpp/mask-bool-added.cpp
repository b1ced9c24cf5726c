#include <attest/exercise.hpp>

#include <algorithm>
#include <vector>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int T = x.rows(), D = x.cols(), hd = D / n_heads;
  std::vector<std::vector<bool>> mask(T, std::vector<bool>(T));
  for (int i = 0; i < T; i++)
    for (int j = 0; j < T; j++) mask[i][j] = j > i;

  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Matrix out = attest::Matrix::Zero(T, D);
  attest::Heads attn(n_heads, attest::Matrix(T, T));
  for (int h = 0; h < n_heads; h++)
    for (int i = 0; i < T; i++) {
      std::vector<double> s(T);
      for (int j = 0; j < T; j++) {
        for (int c = 0; c < hd; c++) s[j] += q(i, h * hd + c) * k(j, h * hd + c);
        s[j] = s[j] / std::sqrt(hd) + mask[i][j];
      }
      const double top = *std::max_element(s.begin(), s.end());
      double total = 0;
      for (double& e : s) total += e = std::exp(e - top);
      for (int j = 0; j < T; j++) {
        attn[h](i, j) = s[j] / total;
        for (int c = 0; c < hd; c++) out(i, h * hd + c) += attn[h](i, j) * v(j, h * hd + c);
      }
    }
  return {out * w_o, attn};
}
