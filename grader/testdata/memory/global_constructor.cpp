// The table is filled before any call, and it is too small.
#include <attest/exercise.hpp>

#include <vector>

static std::vector<int> visible_tokens(int n) {
  std::vector<int> counts(n);
  for (int i = 1; i <= n; ++i) counts[i] = i;
  return counts;
}
static const std::vector<int> kVisible = visible_tokens(4096);

attest::Matrix causal_mask(attest::Index n_tokens) {
  attest::Matrix mask = attest::Matrix::Zero(n_tokens, n_tokens);
  for (attest::Index i = 0; i < n_tokens; ++i)
    for (attest::Index j = kVisible[i] + 1; j < n_tokens; ++j)
      mask(i, j) = -std::numeric_limits<attest::Scalar>::infinity();
  return mask;
}
