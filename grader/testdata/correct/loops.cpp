// Everything spelled out: one loop per index.
#include <attest/exercise.hpp>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int T = static_cast<int>(x.rows());
  const int d_model = static_cast<int>(x.cols());
  const int d_head = d_model / static_cast<int>(n_heads);

  auto product = [](const attest::Matrix& a, const attest::Matrix& b) {
    attest::Matrix c = attest::Matrix::Zero(a.rows(), b.cols());
    for (int i = 0; i < a.rows(); ++i)
      for (int j = 0; j < b.cols(); ++j)
        for (int k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
    return c;
  };
  attest::Matrix q = product(x, w_q), k = product(x, w_k), v = product(x, w_v);

  attest::Matrix mixed = attest::Matrix::Zero(T, d_model);
  attest::Heads weights;
  for (int h = 0; h < n_heads; ++h) {
    attest::Matrix a = attest::Matrix::Zero(T, T);
    for (int i = 0; i < T; ++i) {
      double best = -INFINITY;
      for (int j = 0; j <= i; ++j) {
        double dot = 0;
        for (int c = h * d_head; c < (h + 1) * d_head; ++c) dot += q(i, c) * k(j, c);
        a(i, j) = dot / std::sqrt(static_cast<double>(d_head));
        if (a(i, j) > best) best = a(i, j);
      }
      double sum = 0;
      for (int j = 0; j <= i; ++j) {
        a(i, j) = std::exp(a(i, j) - best);
        sum += a(i, j);
      }
      for (int j = 0; j <= i; ++j) {
        a(i, j) /= sum;
        for (int c = h * d_head; c < (h + 1) * d_head; ++c) mixed(i, c) += a(i, j) * v(j, c);
      }
    }
    weights.push_back(a);
  }
  return {product(mixed, w_o), weights};
}
