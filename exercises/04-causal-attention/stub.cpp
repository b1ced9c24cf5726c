#include <attest/exercise.hpp>

// Causal self-attention with one head.
//
//   x         (T, d_model)    one row per token
//   w_q, w_k  (d_model, d_k)  used as x * w
//   w_v       (d_model, d_v)
//
// Returns y (T, d_v) and, if you like, one matrix of weights (T, T); weights may stay empty.
// Token i sees tokens 0 .. i.
attest::Attention causal_attention(const attest::Matrix& /*x*/, const attest::Matrix& /*w_q*/,
                                   const attest::Matrix& /*w_k*/, const attest::Matrix& /*w_v*/) {
  // Nothing here yet: start with q = x * w_q and write its shape beside it.
  throw attest::Unfinished{};
}
