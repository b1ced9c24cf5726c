#include <attest/exercise.hpp>

#include <cmath>

using namespace attest;

static void softmax_causal(Matrix& s) {
  for (Index r = 0; r < s.rows(); r++) {
    Scalar biggest = s(r, 0);
    for (Index c = 1; c <= r; c++) biggest = s(r, c) > biggest ? s(r, c) : biggest;
    Scalar total = 0;
    for (Index c = 0; c <= r; c++) {
      s(r, c) = std::exp(s(r, c) - biggest);
      total += s(r, c);
    }
    for (Index c = 0; c <= r; c++) s(r, c) /= total;
    for (Index c = r + 1; c < s.cols(); c++) s(r, c) = 0;
  }
}

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  Index dim = x.cols() / n_heads;
  Attention res;
  res.y = Matrix::Zero(x.rows(), x.cols());
  for (Index h = 0; h < n_heads; h++) {
    Matrix q = x * w_q.middleCols(h * dim, dim);
    Matrix k = x * w_k.middleCols(h * dim, dim);
    Matrix v = x * w_v.middleCols(h * dim, dim);
    Matrix attn = q * k.transpose();
    softmax_causal(attn);
    attn /= std::sqrt(Scalar(dim));
    res.y += attn * v * w_o.middleRows(h * dim, dim);
    res.weights.push_back(attn);
  }
  return res;
}
