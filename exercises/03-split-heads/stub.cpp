#include <attest/exercise.hpp>

// Cuts the features of every token into heads.
//
//   x        (T, d_model)  one row per token
//   n_heads                d_model = n_heads * d_head
//
// Returns n_heads matrices (T, d_head): head g owns columns g*d_head .. (g+1)*d_head - 1 of x.
attest::Heads split_heads(const attest::Matrix& /*x*/, attest::Index /*n_heads*/) {
  // Nothing here yet: start with d_head, and write down which columns head 1 owns.
  throw attest::Unfinished{};
}

// Puts the heads side by side again: the inverse of split_heads.
//
//   heads  n_heads matrices (T, d_head)
//
// Returns x (T, d_model), with d_model = n_heads * d_head.
attest::Matrix merge_heads(const attest::Heads& /*heads*/) {
  // Nothing here yet: start with the three sizes, and write down what token 0's row holds.
  throw attest::Unfinished{};
}
