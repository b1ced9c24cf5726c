#include <attest/exercise.hpp>

using namespace attest;

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index tokens = x.rows(), size = x.cols() / n_heads;
  Attention out;
  out.y = Matrix::Zero(tokens, x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    auto columns = [&](const Matrix& w) { return Matrix(x * w.middleCols(h * size, size)); };
    const Matrix q = columns(w_q), k = columns(w_k), v = columns(w_v);

    Matrix weights(tokens, tokens);
    for (Index i = 0; i < tokens; ++i) {
      auto row = weights.row(i);
      for (Index j = 0; j < tokens; ++j) row(j) = q.row(i).dot(k.row(j)) / std::sqrt(Scalar(size));
      const Scalar top = row.maxCoeff();
      for (Index j = 0; j < tokens; ++j) row(j) = std::exp(row(j) - top);
      row /= row.sum();
    }
    out.y += weights * v * w_o.middleRows(h * size, size);
    out.weights.push_back(weights);
  }
  return out;
}
