#include <attest/exercise.hpp>

using attest::Matrix;

// q, k, v of all heads side by side; head g owns columns g * size, ...
attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const int n = x.rows(), dim = x.cols(), size = dim / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix mixed = Matrix::Zero(n, dim);
  attest::Heads attention(n_heads, Matrix::Zero(n, n));

  for (int h = 0; h < n_heads; h++) {
    Matrix& a = attention[h];
    for (int i = 0; i < n; i++) {
      double top = -std::numeric_limits<double>::infinity();
      for (int j = 0; j <= i; j++) {
        double dot = 0;
        for (int c = h * size; c < (h + 1) * size; c++) dot += q(i, c) * k(j, c);
        a(i, j) = dot / std::sqrt(dim);
        top = std::max<double>(top, a(i, j));
      }
      double sum = 0;
      for (int j = 0; j <= i; j++) sum += a(i, j) = std::exp(a(i, j) - top);
      for (int j = 0; j <= i; j++) {
        a(i, j) /= sum;
        for (int c = h * size; c < (h + 1) * size; c++) mixed(i, c) += a(i, j) * v(j, c);
      }
    }
  }
  return {mixed * w_o, attention};
}
