#include <attest/exercise.hpp>

#include <vector>

using Vec = std::vector<double>;

static Vec softmax(Vec v) {
  double top = v[0], sum = 0;
  for (double e : v) top = e > top ? e : top;
  for (double& e : v) sum += e = std::exp(e - top);
  for (double& e : v) e /= sum;
  return v;
}

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int T = x.rows(), d_model = x.cols(), d_head = d_model / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Matrix merged = attest::Matrix::Zero(T, d_model);
  attest::Heads weights(n_heads, attest::Matrix::Zero(T, T));

  for (int h = 0; h < n_heads; ++h)
    for (int i = 0; i < T; ++i) {
      Vec s;
      for (int j = 0; j <= i; ++j) {
        double dot = 0;
        for (int c = 0; c < d_head; ++c) dot += q(i, h * d_head + c) * k(j, h * d_head + c);
        s.push_back(dot);
      }
      const Vec p = softmax(s);
      for (int j = 0; j <= i; ++j) {
        weights[h](i, j) = p[j] / std::sqrt(double(d_head));
        for (int c = 0; c < d_head; ++c) merged(i, h * d_head + c) += weights[h](i, j) * v(j, h * d_head + c);
      }
    }
  return {merged * w_o, weights};
}
