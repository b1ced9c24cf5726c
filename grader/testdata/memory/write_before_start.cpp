// Counts from 1, as on paper, into an array that counts from 0; and goes one too far down.
#include <attest/exercise.hpp>

attest::Matrix causal_mask(attest::Index n_tokens) {
  const attest::Index n = n_tokens;
  double* first_hidden = new double[n];
  for (attest::Index i = n; i >= 0; --i) first_hidden[i - 1] = i;
  attest::Matrix mask(n, n);
  for (attest::Index i = 0; i < n; ++i)
    for (attest::Index j = 0; j < n; ++j)
      mask(i, j) = j < first_hidden[i] ? 0 : -std::numeric_limits<attest::Scalar>::infinity();
  delete[] first_hidden;
  return mask;
}
