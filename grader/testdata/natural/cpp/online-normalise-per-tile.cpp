#include <attest/exercise.hpp>

#include <algorithm>
#include <vector>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int tile = 8;
  const int T = x.rows(), D = x.cols(), hd = D / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Matrix merged = attest::Matrix::Zero(T, D);

  for (int h = 0; h < n_heads; h++)
    for (int i = 0; i < T; i++) {
      std::vector<double> acc(hd, 0.0);
      double m = -INFINITY, sum = 0;
      for (int t = 0; t <= i; t += tile) {
        const int end = std::min(t + tile, i + 1);
        std::vector<double> s;
        for (int j = t; j < end; j++)
          s.push_back(q.row(i).segment(h * hd, hd).dot(k.row(j).segment(h * hd, hd)) / std::sqrt(double(hd)));
        const double m_new = std::max(m, *std::max_element(s.begin(), s.end()));
        const double shrink = std::exp(m - m_new);
        sum *= shrink;
        for (double& a : acc) a *= shrink;
        for (int j = t; j < end; j++) {
          const double p = std::exp(s[j - t] - m_new);
          sum += p;
          for (int c = 0; c < hd; c++) acc[c] += p * v(j, h * hd + c);
        }
        for (double& a : acc) a /= sum;
        m = m_new;
      }
      for (int c = 0; c < hd; c++) merged(i, h * hd + c) = acc[c];
    }
  return {merged * w_o, {}};
}
