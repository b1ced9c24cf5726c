// Takes q, k and v in place of x and five more arguments.
#include <attest/exercise.hpp>

attest::Matrix causal_multi_head_attention(const attest::Matrix& q, const attest::Matrix& k, const attest::Matrix& v) {
  attest::Matrix a = q * k.transpose() / std::sqrt(attest::Scalar(q.cols()));
  for (attest::Index i = 0; i < a.rows(); ++i) {
    const attest::Scalar top = a.row(i).head(i + 1).maxCoeff();
    for (attest::Index j = 0; j < a.cols(); ++j) a(i, j) = j <= i ? std::exp(a(i, j) - top) : 0;
    a.row(i) /= a.row(i).sum();
  }
  return a * v;
}
