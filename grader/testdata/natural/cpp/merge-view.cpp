#include <attest/exercise.hpp>

#include <vector>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const int T = x.rows(), D = x.cols(), d = D / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Heads weights;
  std::vector<double> flat;  // outputs of the heads, in order
  flat.reserve(T * D);

  for (int h = 0; h < n_heads; ++h) {
    attest::Matrix a = attest::Matrix::Zero(T, T);
    for (int i = 0; i < T; ++i) {
      double top = -INFINITY, sum = 0;
      for (int j = 0; j <= i; ++j) {
        for (int c = 0; c < d; ++c) a(i, j) += q(i, h * d + c) * k(j, h * d + c);
        a(i, j) /= std::sqrt(double(d));
        if (a(i, j) > top) top = a(i, j);
      }
      for (int j = 0; j <= i; ++j) sum += a(i, j) = std::exp(a(i, j) - top);
      a.row(i) /= sum;
      for (int c = 0; c < d; ++c) {
        double z = 0;
        for (int j = 0; j <= i; ++j) z += a(i, j) * v(j, h * d + c);
        flat.push_back(z);
      }
    }
    weights.push_back(a);
  }

  attest::Matrix merged(T, D);
  for (int t = 0; t < T; ++t)
    for (int c = 0; c < D; ++c) merged(t, c) = flat[t * D + c];
  return {merged * w_o, weights};
}
