// What attention itself costs at the size that frameworks are measured with: T = 2048, d_model = 768, 12 heads, float32, output
// projection included. `./attest bench` compares it with PyTorch's fastest way of doing the same (grader/bench/torch_peer.py).
#include "reference/fast_attention.hpp"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cmath>

namespace {

attest::Inputs<float> inputs(attest::Index n_tokens, attest::Index d_model, attest::Index n_heads) {
  const auto some = [](attest::Index rows, attest::Index cols) {
    return attest::MatrixOf<float>(attest::MatrixOf<float>::Random(rows, cols) / std::sqrt(float(cols)));
  };
  return {some(n_tokens, d_model), some(d_model, d_model), some(d_model, d_model),
          some(d_model, d_model),  some(d_model, d_model), n_heads};
}

void fast_causal_attention(benchmark::State& state) {
  const attest::Inputs<float> in = inputs(state.range(0), 768, 12);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(attest::fast_causal_attention(in).data());
  }
}
BENCHMARK(fast_causal_attention)->Arg(256)->Arg(2048)->Unit(benchmark::kMillisecond)->UseRealTime();

// As it is written to be read: every intermediate is kept, and hidden blocks are computed.
void textbook_causal_attention(benchmark::State& state) {
  const attest::Inputs<float> in = inputs(state.range(0), 768, 12);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(attest::causal_multi_head_attention(in).y.data());
  }
}
BENCHMARK(textbook_causal_attention)->Arg(256)->Arg(2048)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
  // Page faults cost more than the arithmetic where memory is given back after each call; PyTorch is measured with the same.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
