#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, Index n_heads) {
  const Index n = x.rows();
  const Index d_head = x.cols() / n_heads;
  const attest::Scalar scale = std::sqrt(static_cast<attest::Scalar>(d_head));

  Matrix Q = x * w_q;
  Matrix K = x * w_k;
  Matrix V = x * w_v;
  Matrix concat(n, x.cols());
  attest::Heads all;

  for (Index h = 0; h < n_heads; ++h) {
    Matrix q = Q.middleCols(h * d_head, d_head);
    Matrix k = K.middleCols(h * d_head, d_head);
    Matrix v = V.middleCols(h * d_head, d_head);

    Matrix a = (q * k.transpose()) * scale;
    for (Index i = 0; i < n; ++i) {
      const attest::Scalar m = a.row(i).head(i + 1).maxCoeff();
      attest::Scalar sum = 0;
      for (Index j = 0; j < n; ++j) {
        a(i, j) = j > i ? 0 : std::exp(a(i, j) - m);
        sum += a(i, j);
      }
      a.row(i) /= sum;
    }
    concat.middleCols(h * d_head, d_head) = a * v;
    all.push_back(a);
  }
  return {concat * w_o, all};
}
