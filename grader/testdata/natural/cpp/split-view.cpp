#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Index T = x.rows(), d = x.cols() / n_heads;
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  // head h of a projection, without a copy: (T, d)
  auto head = [&](const Matrix& m, Index h) { return Eigen::Map<const Matrix>(m.data() + h * T * d, T, d); };

  Matrix merged(T, x.cols());
  attest::Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    Matrix s = head(q, h) * head(k, h).transpose() / std::sqrt(Scalar(d));
    for (Index i = 0; i < T; ++i) {
      s.row(i).tail(T - i - 1).setConstant(-std::numeric_limits<Scalar>::infinity());
      const Scalar top = s.row(i).maxCoeff();
      for (Index j = 0; j < T; ++j) s(i, j) = std::exp(s(i, j) - top);
      s.row(i) /= s.row(i).sum();
    }
    merged.middleCols(h * d, d) = s * head(v, h);
    weights.push_back(s);
  }
  return {merged * w_o, weights};
}
