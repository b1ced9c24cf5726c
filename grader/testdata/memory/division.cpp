// One token has no neighbours.
#include <attest/exercise.hpp>

attest::Matrix causal_mask(attest::Index n_tokens) {
  attest::Matrix mask = attest::Matrix::Zero(n_tokens, n_tokens);
  const attest::Index step = n_tokens * n_tokens / (n_tokens - 1);
  for (attest::Index i = 0; i < n_tokens; ++i)
    for (attest::Index j = 0; j < n_tokens; ++j)
      if (j > i && step > 0) mask(i, j) = -std::numeric_limits<attest::Scalar>::infinity();
  return mask;
}
