// Pairs of tokens are told apart by a number that does not fit.
#include <attest/exercise.hpp>

attest::Matrix causal_mask(attest::Index n_tokens) {
  const int n = static_cast<int>(n_tokens);
  attest::Matrix mask = attest::Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int row = (i + 1) * 1'000'000'000, column = (j + 1) * 1'000'000'000;
      if (row < column) mask(i, j) = -std::numeric_limits<attest::Scalar>::infinity();
    }
  return mask;
}
