// Writes through a null pointer.
#include <attest/exercise.hpp>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const attest::Index T = x.rows(), d_head = x.cols() / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Attention result;
  attest::Matrix heads(T, x.cols());
  for (attest::Index h = 0; h < n_heads; ++h) {
    attest::Matrix a = q.middleCols(h * d_head, d_head) * k.middleCols(h * d_head, d_head).transpose();
    a /= std::sqrt(attest::Scalar(d_head));
    for (attest::Index i = 0; i < T; ++i) {
      const attest::Scalar top = a.row(i).head(i + 1).maxCoeff();
      for (attest::Index j = 0; j < T; ++j) a(i, j) = j <= i ? std::exp(a(i, j) - top) : 0;
      a.row(i) /= a.row(i).sum();
    }
    heads.middleCols(h * d_head, d_head) = a * v.middleCols(h * d_head, d_head);
    result.weights.push_back(a);
  }
  result.y = heads * w_o;
  volatile attest::Scalar* volatile first = nullptr;  // volatile twice: no compiler may leave the write out
  *first = result.y(0, 0);
  return result;
}
