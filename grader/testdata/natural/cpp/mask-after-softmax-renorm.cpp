#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  Matrix mixed(T, x.cols());
  attest::Heads attn;
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d);
    const Matrix k = x * w_k.middleCols(h * d, d);
    const Matrix v = x * w_v.middleCols(h * d, d);
    const Matrix s = q * k.transpose() / std::sqrt(Scalar(d));

    Matrix a(T, T);
    for (Index i = 0; i < T; ++i) {
      const Scalar top = s.row(i).maxCoeff();
      Scalar all = 0, past = 0;
      for (Index j = 0; j < T; ++j) all += a(i, j) = std::exp(s(i, j) - top);
      for (Index j = 0; j < T; ++j) {
        a(i, j) = j <= i ? a(i, j) / all : 0;
        past += a(i, j);
      }
      a.row(i) /= past;
    }
    mixed.middleCols(h * d, d) = a * v;
    attn.push_back(a);
  }
  return {mixed * w_o, attn};
}
