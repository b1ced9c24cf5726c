// What the reference costs: T tokens against d_model features, four heads, in double (a candidate's precision) and long
// double (the oracle's). Build with -DATTEST_BUILD_BENCH=ON.
#include "reference/attention.hpp"

#include <benchmark/benchmark.h>

namespace {

template <class S>
void attention(benchmark::State& state) {
  const auto n_tokens = static_cast<attest::Index>(state.range(0));
  const auto d_model = static_cast<attest::Index>(state.range(1));
  const auto some = [](attest::Index rows, attest::Index cols) {
    return attest::MatrixOf<S>(attest::MatrixOf<S>::Random(rows, cols));
  };
  const attest::Inputs<S> in{some(n_tokens, d_model), some(d_model, d_model), some(d_model, d_model),
                             some(d_model, d_model),  some(d_model, d_model), 4};
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(attest::causal_multi_head_attention(in).y.data());
  }
  state.SetComplexityN(n_tokens);
}

BENCHMARK(attention<double>)->ArgNames({"T", "d_model"})->ArgsProduct({{1, 8, 32, 128}, {4, 16, 64}});
BENCHMARK(attention<long double>)->ArgNames({"T", "d_model"})->ArgsProduct({{1, 8, 32, 128}, {4, 16, 64}});

}  // namespace
