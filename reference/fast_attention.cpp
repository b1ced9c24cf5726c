#include "reference/fast_attention.hpp"

#include "reference/fast_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attest {
namespace {

// Rows that go together: enough for a matrix product to be worth its name, few enough that half a strip of hidden scores, which is
// computed for nothing, does not count.
constexpr Index kStrip = 64;

template <class S>
kernels::Kernels<S> best_kernels() {
#ifdef ATTEST_VECTOR_KERNELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
    return kernels::avx512<S>();
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kernels::avx2<S>();
#endif
  return kernels::any<S>();
}

}  // namespace

template <class S>
MatrixOf<S> fast_causal_attention(const Inputs<S>& in) {
  check_shapes(in);
  static const kernels::Kernels<S> kernel = best_kernels<S>();
  const Index n_tokens = in.tokens(), d_k = in.d_k(), d_v = in.d_v();
  const auto product = [](const MatrixOf<S>& a, const MatrixOf<S>& b) {
    MatrixOf<S> out(a.rows(), b.cols());
    kernel.multiply(a.data(), b.data(), out.data(), a.rows(), a.cols(), b.cols());
    return out;
  };
  MatrixOf<S> q = product(in.x, in.w_q);        // (T, n_heads d_k)
  const MatrixOf<S> k = product(in.x, in.w_k);  // (T, n_heads d_k)
  const MatrixOf<S> v = product(in.x, in.w_v);  // (T, n_heads d_v)
  q *= 1 / std::sqrt(static_cast<S>(d_k));
  MatrixOf<S> merged(n_tokens, v.cols());  // (T, n_heads d_v)
  std::vector<S> scratch(static_cast<std::size_t>(std::min(kStrip, n_tokens) * n_tokens));
  for (Index g = 0; g < in.n_heads; ++g) {
    kernel.attend(q.data() + g * d_k, k.data() + g * d_k, v.data() + g * d_v, merged.data() + g * d_v,
                  n_tokens, d_k, d_v, q.cols(), v.cols(), kStrip, scratch.data());
  }
  return in.has_output_projection() ? product(merged, in.w_o) : merged;  // (T, d_out)
}

template MatrixOf<float> fast_causal_attention(const Inputs<float>&);
template MatrixOf<double> fast_causal_attention(const Inputs<double>&);

}  // namespace attest
