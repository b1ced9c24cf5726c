// Closes what it has not opened and opens what it does not close, so that the code behind it becomes part of a text.
#include <attest/exercise.hpp>
attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix&, const attest::Matrix&,
                                              const attest::Matrix&, const attest::Matrix&, attest::Index) {
  return {attest::Matrix::Zero(x.rows(), x.cols()), {}};
}
const char* rest = R"hostile(
