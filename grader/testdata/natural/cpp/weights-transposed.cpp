#include <attest/exercise.hpp>

using attest::Matrix;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const int T = x.rows(), D = x.cols(), d = D / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix z = Matrix::Zero(T, D);
  attest::Heads a(n_heads, Matrix::Zero(T, T));
  for (int h = 0; h < n_heads; ++h) {
    for (int i = 0; i < T; ++i) {
      double top = -std::numeric_limits<double>::max(), sum = 0;
      for (int j = 0; j <= i; ++j) {
        for (int c = h * d; c < (h + 1) * d; ++c) a[h](i, j) += q(i, c) * k(j, c);
        a[h](i, j) /= std::sqrt(double(d));
        top = std::max<double>(top, a[h](i, j));
      }
      for (int j = 0; j <= i; ++j) sum += a[h](i, j) = std::exp(a[h](i, j) - top);
      for (int j = 0; j <= i; ++j) a[h](i, j) /= sum;
    }
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < T; ++j)
        for (int c = h * d; c < (h + 1) * d; ++c) z(i, c) += a[h](j, i) * v(j, c);
  }
  return {z * w_o, a};
}
