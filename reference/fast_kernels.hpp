// The two inner loops of fast_attention.cpp, once for each level of vector instructions.
#pragma once

namespace attest::kernels {

// a (rows, depth) b (depth, cols) = out, all row-major.
template <class S>
using Multiply = void (*)(const S* a, const S* b, S* out, long rows, long depth, long cols);

// One head: q, k (T, d_k), v (T, d_v) and out (T, d_v) are column blocks of row-major matrices whose rows are `stride_k` and
// `stride_v` numbers apart. q is scaled already. `scratch`: strip T numbers.
template <class S>
using Attend = void (*)(const S* q, const S* k, const S* v, S* out, long n_tokens, long d_k, long d_v,
                        long stride_k, long stride_v, long strip, S* scratch);

template <class S>
struct Kernels {
  Multiply<S> multiply;
  Attend<S> attend;
};

// Compiled from fast_kernels.cpp: for any processor, with AVX2 and FMA, with AVX-512.
template <class S>
Kernels<S> any();
template <class S>
Kernels<S> avx2();
template <class S>
Kernels<S> avx512();

}  // namespace attest::kernels
