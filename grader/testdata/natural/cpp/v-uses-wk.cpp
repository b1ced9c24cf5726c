#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), D = x.cols(), hd = D / n_heads;
  (void)w_v;
  Matrix w_qkv(D, 3 * D);
  w_qkv.leftCols(D) = w_q;
  w_qkv.middleCols(D, D) = w_k;
  w_qkv.rightCols(D) = w_k;
  const Matrix qkv = x * w_qkv;

  Attention res{Matrix(T, D), {}};
  for (Index h = 0; h < n_heads; ++h) {
    const auto q = qkv.middleCols(h * hd, hd);
    const auto k = qkv.middleCols(D + h * hd, hd);
    const auto v = qkv.middleCols(2 * D + h * hd, hd);
    Matrix att = q * k.transpose() / std::sqrt(Scalar(hd));
    for (Index i = 0; i < T; ++i) {
      for (Index j = i + 1; j < T; ++j) att(i, j) = -std::numeric_limits<Scalar>::infinity();
      att.row(i).array() -= att.row(i).maxCoeff();
      att.row(i) = att.row(i).array().exp().matrix().eval();
      att.row(i) /= att.row(i).sum();
    }
    res.y.middleCols(h * hd, hd) = att * v;
    res.weights.push_back(att);
  }
  res.y *= w_o;
  return res;
}
