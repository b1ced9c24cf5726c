// Compiled once for each level of vector instructions (CMakeLists.txt) with ATTEST_LEVEL as its name, and every time with another
// name for Eigen's namespace: code for different processors must not share a symbol, or the linker would pick one for all.
#include "reference/fast_kernels.hpp"

#include <Eigen/Core>

namespace attest::kernels {
namespace {

template <class S>
using Rows = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;
template <class S>
using Block = Eigen::Map<const Rows<S>, 0, Stride>;

template <class S>
void multiply(const S* a, const S* b, S* out, long rows, long depth, long cols) {
  Eigen::Map<Rows<S>>(out, rows, cols).noalias() =
      Eigen::Map<const Rows<S>>(a, rows, depth) * Eigen::Map<const Rows<S>>(b, depth, cols);
}

template <class S>
void attend(const S* q, const S* k, const S* v, S* out, long n_tokens, long d_k, long d_v, long stride_k,
            long stride_v, long strip, S* scratch) {
  for (long first = 0; first < n_tokens; first += strip) {
    const long rows = first + strip <= n_tokens ? strip : n_tokens - first, seen = first + rows;
    Eigen::Map<Rows<S>> weights(scratch, rows, seen);
    weights.noalias() = Block<S>(q + first * stride_k, rows, d_k, Stride(stride_k)) *
                        Block<S>(k, seen, d_k, Stride(stride_k)).transpose();  // (rows, seen)
    Eigen::Array<S, Eigen::Dynamic, 1> sums(rows);
    for (long i = 0; i < rows; ++i) {
      auto visible = weights.row(i).head(first + i + 1).array();
      visible = (visible - visible.maxCoeff()).exp();
      sums(i) = visible.sum();
      weights.row(i).tail(rows - i - 1).setZero();
    }
    Eigen::Map<Rows<S>, 0, Stride> strip_out(out + first * stride_v, rows, d_v, Stride(stride_v));
    strip_out.noalias() = weights * Block<S>(v, seen, d_v, Stride(stride_v));  // (rows, d_v)
    strip_out.array().colwise() /= sums;  // d_v divisions a row instead of T
  }
}

}  // namespace

template <class S>
Kernels<S> ATTEST_LEVEL() {
  return {multiply<S>, attend<S>};
}
template Kernels<float> ATTEST_LEVEL<float>();
template Kernels<double> ATTEST_LEVEL<double>();

}  // namespace attest::kernels
