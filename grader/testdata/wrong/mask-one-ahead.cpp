#include <attest/exercise.hpp>

using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k,
                                              const Matrix& w_v, const Matrix& w_o, attest::Index n_heads) {
  const auto T = x.rows();
  const auto d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  Matrix heads = Matrix::Zero(T, x.cols());
  attest::Heads weights;

  for (attest::Index g = 0; g < n_heads; g++) {
    Matrix p(T, T);
    for (attest::Index i = 0; i < T; i++) {
      for (attest::Index j = 0; j < T; j++) {
        if (j - i > 1)
          p(i, j) = -std::numeric_limits<Scalar>::infinity();
        else
          p(i, j) = q.row(i).segment(g * d, d).dot(k.row(j).segment(g * d, d)) / std::sqrt(Scalar(d));
      }
      const Scalar m = p.row(i).maxCoeff();
      Scalar z = 0;
      for (attest::Index j = 0; j < T; j++) z += p(i, j) = std::exp(p(i, j) - m);
      p.row(i) /= z;
    }
    heads.middleCols(g * d, d) = p * v.middleCols(g * d, d);
    weights.push_back(p);
  }
  return {heads * w_o, weights};
}
