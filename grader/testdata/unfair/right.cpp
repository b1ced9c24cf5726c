// What every file here begins with: a right answer, and one that is wrong but has the right shape.
#include <attest/exercise.hpp>

#define PARAMETERS                                                                                                           \
  const attest::Matrix &x, const attest::Matrix &w_q, const attest::Matrix &w_k, const attest::Matrix &w_v,                  \
      const attest::Matrix &w_o, attest::Index n_heads

attest::Attention zeros(PARAMETERS) {
  return {attest::Matrix::Zero(x.rows(), x.cols()), attest::Heads(n_heads, attest::Matrix::Zero(x.rows(), x.rows()))};
}

attest::Attention right(PARAMETERS) {
  attest::Attention result = zeros(x, w_q, w_k, w_v, w_o, n_heads);
  const attest::Index T = x.rows(), d_head = x.cols() / n_heads;
  const attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  for (attest::Index g = 0; g < n_heads; ++g) {
    attest::Matrix& a = result.weights[g];
    a = q.middleCols(g * d_head, d_head) * k.middleCols(g * d_head, d_head).transpose() / std::sqrt(attest::Scalar(d_head));
    for (attest::Index i = 0; i < T; ++i) {
      const attest::Scalar peak = a.row(i).head(i + 1).maxCoeff();
      for (attest::Index j = 0; j < T; ++j) a(i, j) = j <= i ? std::exp(a(i, j) - peak) : 0;
      a.row(i) /= a.row(i).sum();
    }
    result.y.middleCols(g * d_head, d_head) = a * v.middleCols(g * d_head, d_head);
  }
  result.y *= w_o;
  return result;
}

