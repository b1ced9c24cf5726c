// A bit for each token, in a number of 32 bits.
#include <attest/exercise.hpp>

attest::Matrix causal_mask(attest::Index n_tokens) {
  attest::Matrix mask = attest::Matrix::Zero(n_tokens, n_tokens);
  for (int i = 0; i < n_tokens; ++i) {
    unsigned seen = 0;
    for (int j = 0; j <= i; ++j) seen |= 1u << (j * 16);
    for (int j = 0; j < n_tokens; ++j)
      if (!(seen & 1u << (j * 16))) mask(i, j) = -std::numeric_limits<attest::Scalar>::infinity();
  }
  return mask;
}
