#include <attest/exercise.hpp>

using namespace attest;

// (T, T), 0 for the past and -inf for the future
static Matrix make_mask(Index T) {
  Matrix mask = Matrix::Constant(T, T, -std::numeric_limits<Scalar>::infinity());
  for (Index i = 0; i < T; ++i)
    for (Index j = 0; j < i; ++j) mask(i, j) = 0;
  return mask;
}

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), hd = x.cols() / n_heads;
  const Matrix mask = make_mask(T);
  Heads A;
  Matrix Z(T, x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix Q = x * w_q.block(0, h * hd, x.cols(), hd);
    const Matrix K = x * w_k.block(0, h * hd, x.cols(), hd);
    const Matrix V = x * w_v.block(0, h * hd, x.cols(), hd);
    Matrix S = Q * K.transpose() / std::sqrt(Scalar(hd)) + mask;
    for (Index i = 0; i < T; ++i) {
      Scalar top = S(i, 0);
      for (Index j = 1; j < T; ++j) top = std::max(top, S(i, j));
      for (Index j = 0; j < T; ++j) S(i, j) = std::exp(S(i, j) - top);
      S.row(i) /= S.row(i).sum();
    }
    Z.block(0, h * hd, T, hd) = S * V;
    A.push_back(S);
  }
  return {Z * w_o, A};
}
