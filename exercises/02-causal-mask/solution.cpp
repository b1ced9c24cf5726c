#include <attest/exercise.hpp>

using attest::Index;
using attest::Matrix;
using attest::Scalar;

attest::Matrix causal_mask(Index n_tokens) {
  const Index T = n_tokens;

  Matrix mask = Matrix::Zero(T, T);                                    // (T, T) visible unless said otherwise
  for (Index i = 0; i < T; ++i)
    for (Index j = i + 1; j < T; ++j)
      mask(i, j) = -std::numeric_limits<Scalar>::infinity();           // the future of token i
  return mask;
}
