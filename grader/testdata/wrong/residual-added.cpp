#include <attest/exercise.hpp>

#include <cmath>

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const Eigen::Index T = x.rows();
  const Eigen::Index hs = x.cols() / n_heads;
  attest::Heads probs;
  attest::Matrix z(T, x.cols());

  for (Eigen::Index h = 0; h < n_heads; ++h) {
    const attest::Matrix q = (x * w_q).middleCols(h * hs, hs);
    const attest::Matrix k = (x * w_k).middleCols(h * hs, hs);
    const attest::Matrix v = (x * w_v).middleCols(h * hs, hs);

    attest::Matrix att = q * k.transpose() * (1 / std::sqrt(attest::Scalar(hs)));
    for (Eigen::Index i = 0; i < T; ++i) {
      for (Eigen::Index j = i + 1; j < T; ++j) att(i, j) = -std::numeric_limits<attest::Scalar>::infinity();
      const attest::Scalar top = att.row(i).maxCoeff();
      for (Eigen::Index j = 0; j < T; ++j) att(i, j) = std::exp(att(i, j) - top);
      att.row(i) /= att.row(i).sum();
    }
    z.middleCols(h * hs, hs) = att * v;
    probs.push_back(att);
  }

  attest::Matrix y = z * w_o;
  y += x;  // skip connection
  return {y, probs};
}
