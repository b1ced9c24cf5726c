#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index n = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix out = Matrix::Zero(n, x.cols());
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    Matrix w(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        Scalar s = 0;
        for (Index c = h * d; c < (h + 1) * d; ++c) s += q(i, c) * k(j, c);
        s /= std::sqrt(Scalar(d));
        if (j > i) s -= 10000;
        w(i, j) = s;
      }
      const Scalar top = w.row(i).maxCoeff();
      for (Index j = 0; j < n; ++j) w(i, j) = std::exp(w(i, j) - top);
      w.row(i) /= w.row(i).sum();
      for (Index j = 0; j < n; ++j) out.row(i).segment(h * d, d) += w(i, j) * v.row(j).segment(h * d, d);
    }
    weights.push_back(w);
  }
  return {out * w_o, weights};
}
