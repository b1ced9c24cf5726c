// Causal multi-head attention arranged for speed, for long sequences: the same mathematics as attention.hpp.
#pragma once

#include "reference/attention.hpp"

namespace attest {

// y of causal_multi_head_attention(in), without the weights. Works through strips of rows and never computes what the mask would
// hide: a strip of tokens i ... j - 1 multiplies with keys and values 0 ... j - 1 only. Uses the widest vectors that the processor
// has, so its roundings differ from one machine to the next: a yardstick and a candidate, not a right answer. One thread.
// S: float or double. Throws as check_shapes does.
template <class S>
MatrixOf<S> fast_causal_attention(const Inputs<S>& in);

}  // namespace attest
