#include <attest/exercise.hpp>

#include <algorithm>
#include <vector>

using Grid = std::vector<std::vector<double>>;
const double NEG = -1e4;

static void softmax(Grid& g) {
  for (auto& row : g) {
    const double m = *std::max_element(row.begin(), row.end());
    double total = 0;
    for (double& e : row) total += e = std::exp(e - m);
    for (double& e : row) e /= total;
  }
}

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int T = x.rows(), D = x.cols(), d = D / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Matrix z = attest::Matrix::Zero(T, D);
  attest::Heads weights(n_heads, attest::Matrix(T, T));
  for (int h = 0; h < n_heads; ++h) {
    Grid s(T, std::vector<double>(T, NEG));
    for (int i = 0; i < T; ++i)
      for (int j = 0; j <= i; ++j)
        s[i][j] = q.row(i).segment(h * d, d).dot(k.row(j).segment(h * d, d)) / std::sqrt(double(d));
    softmax(s);
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < T; ++j) {
        weights[h](i, j) = s[i][j];
        for (int c = h * d; c < h * d + d; ++c) z(i, c) += s[i][j] * v(j, c);
      }
  }
  return {z * w_o, weights};
}
