// A thread goes on changing what was returned, and the memory that it was in.
#include <attest/exercise.hpp>
#include <atomic>
#include <thread>
std::atomic<attest::Scalar*> returned = nullptr;
attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix&, const attest::Matrix&,
                                              const attest::Matrix&, const attest::Matrix&, attest::Index) {
  static std::thread changing([] {
    for (;;) {
      if (attest::Scalar* at = returned) *at += 1;
    }
  });
  attest::Attention result{attest::Matrix::Zero(x.rows(), x.cols()), {}};
  returned = result.y.data();
  return result;
}
