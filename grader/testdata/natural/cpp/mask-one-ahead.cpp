#include <attest/exercise.hpp>

#include <algorithm>
#include <vector>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const attest::Index n = x.rows(), dim = x.cols(), dh = dim / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Matrix heads = attest::Matrix::Zero(n, dim);
  attest::Heads weights(n_heads, attest::Matrix::Zero(n, n));

  for (attest::Index h = 0; h < n_heads; ++h) {
    for (attest::Index i = 0; i < n; ++i) {
      const attest::Index last = std::min(i + 1, n - 1);
      std::vector<double> s;
      for (attest::Index j = 0; j <= last; ++j)
        s.push_back(q.row(i).segment(h * dh, dh).dot(k.row(j).segment(h * dh, dh)) / std::sqrt(double(dh)));
      const double top = *std::max_element(s.begin(), s.end());
      double sum = 0;
      for (double& e : s) {
        e = std::exp(e - top);
        sum += e;
      }
      for (attest::Index j = 0; j <= last; ++j) weights[h](i, j) = s[j] / sum;
    }
    heads.middleCols(h * dh, dh) = weights[h] * v.middleCols(h * dh, dh);
  }
  return {heads * w_o, weights};
}
