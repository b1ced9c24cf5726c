#include <attest/exercise.hpp>

// One product for the three projections; q, k and v are blocks of the result.
attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const auto n = x.rows();
  const auto d = x.cols();
  const auto hd = d / n_heads;

  attest::Matrix w(d, 3 * d);
  w << w_q, w_k, w_v;
  const attest::Matrix qkv = x * w;  // (n, 3d)

  attest::Matrix y = attest::Matrix::Zero(n, d);
  attest::Heads weights(n_heads, attest::Matrix::Zero(n, n));
  for (attest::Index g = 0; g < n_heads; ++g) {
    auto q = qkv.block(0, g * hd, n, hd);
    auto k = qkv.block(0, d + g * hd, n, hd);
    auto v = qkv.block(0, 2 * d + g * hd, n, hd);
    attest::Matrix& p = weights[g];
    p.triangularView<Eigen::Lower>() = q * k.transpose();
    p /= std::sqrt(attest::Scalar(hd));
    for (attest::Index i = 0; i < n; ++i) {
      auto row = p.row(i).head(i + 1);
      const attest::Scalar m = row.maxCoeff();
      for (attest::Index j = 0; j <= i; ++j) row(j) = std::exp(row(j) - m);
      row /= row.sum();
    }
    y.noalias() += p * v * w_o.middleRows(g * hd, hd);
  }
  return {y, weights};
}
