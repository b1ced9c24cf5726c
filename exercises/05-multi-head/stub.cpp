#include <attest/exercise.hpp>

// Causal multi-head self-attention.
//
//   x              (T, d_model)        one row per token
//   w_q, w_k, w_v  (d_model, d_model)  used as x * w; head g owns columns g*d_head .. (g+1)*d_head - 1
//   w_o            (d_model, d_model)  output projection
//   n_heads                            d_model = n_heads * d_head
//
// Returns y (T, d_model) and, if you like, n_heads matrices of weights (T, T); weights may stay empty.
// Token i sees tokens 0 .. i.
attest::Attention causal_multi_head_attention(const attest::Matrix& /*x*/, const attest::Matrix& /*w_q*/,
                                              const attest::Matrix& /*w_k*/, const attest::Matrix& /*w_v*/,
                                              const attest::Matrix& /*w_o*/, attest::Index /*n_heads*/) {
  // Nothing here yet: start with q = x * w_q and write its shape beside it.
  throw attest::Unfinished{};
}
