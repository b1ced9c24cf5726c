// What the engine itself costs, with no submission in it: making a case, knowing the right answer, judging the replies. The
// cases are those of a whole examination as it runs by default, as far as they are small: T <= 8, d_model <= 16.
//
// `engine/...` counts per case: seconds, and allocations. `right_answer/...` is one oracle's answer with its bounds,
// over sizes, to see how its cost grows. `./attest bench` runs this and compares.
#include "properties/bounds.hpp"
#include "properties/generate.hpp"
#include "properties/oracle.hpp"
#include "properties/run.hpp"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <ctime>
#include <stdexcept>

namespace {
std::size_t allocations = 0;
}

// Counted on its way to the C library: what operator new asks for, and Eigen's matrices.
extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* malloc(std::size_t bytes) noexcept {
  ++allocations;
  return __libc_malloc(bytes);
}

namespace attest {
namespace {

constexpr Index kMostTokens = 8, kMostFeatures = 16;

struct Cost {
  double seconds = 0;
  std::size_t allocations = 0;

  Cost& operator+=(const Cost& other) {
    seconds += other.seconds, allocations += other.allocations;
    return *this;
  }
};

// What one part costs, in the processor's time: what else the machine does is not in it.
template <class Part>
Cost cost_of(const Part& part) {
  const std::size_t before = allocations;
  const std::clock_t start = std::clock();
  part();
  return {static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, allocations - before};
}

const Subject& subject() {
  static const Subject multi_head{&multi_head_attention_spec(), Dtype::float64};
  return multi_head;
}

bool applies(const Property& property) {
  return (property.subject.empty() || property.subject == subject().spec->subject) &&
         (!property.applies || property.applies(subject()));
}

struct Judged {
  int index;
  Case value;
  std::vector<Question> questions;
  std::vector<Reply> replies;
};

// The small ones among the cases that a search with this property would try.
std::vector<Judged> small_cases(const Property& property, std::uint64_t seed) {
  std::vector<Judged> all;
  const int planned = Plan{}.cases;
  const int wanted = property.most_cases > 0 ? std::min(planned, property.most_cases) : planned;
  for (int index = 0; index < wanted; ++index) {
    Case c = drawn_case(*subject().spec, property, seed, index);
    const Extents extents = subject().spec->complete(c.free);
    if (extents.at("T") > kMostTokens || extents.at("d_model") > kMostFeatures) continue;
    if (property.ask(subject(), c).empty()) continue;
    all.push_back({index, {}, {}, {}});
  }
  return all;
}

void judge_all(const Property& property, const std::vector<Judged>& cases) {
  for (const Judged& one : cases) {
    if (judge(property, subject(), one.value, one.questions, one.replies).outcome != Outcome::passed)
      throw std::logic_error("the reference fails " + std::string(property.id));
  }
}

struct Examination {
  std::size_t cases = 0;
  Cost generate;  // the case, its numbers, the questions about it
  Cost check;     // the right answer where it is not remembered, and the verdict
  Cost again;     // the verdict alone: everything is remembered
};

// The reference is asked, but not counted.
Examination examine(std::uint64_t seed) {
  const auto reference = in_process([] { return attention_function(Stages<double>()); });
  Examination sum;
  for (const Property& property : catalogue()) {
    if (!applies(property) || property.warning) continue;
    std::vector<Judged> cases = small_cases(property, seed);
    sum.cases += cases.size();
    sum.generate += cost_of([&] {
      for (Judged& one : cases) {
        one.value = drawn_case(*subject().spec, property, seed, one.index);
        one.questions = property.ask(subject(), one.value);
      }
    });
    for (Judged& one : cases) one.replies = reference->answer(one.questions);
    sum.check += cost_of([&] { judge_all(property, cases); });
    sum.again += cost_of([&] { judge_all(property, cases); });
  }
  return sum;
}

void engine(benchmark::State& state, Cost (*part)(const Examination&)) {
  static std::uint64_t seed =
      Plan{}.seed;  // a new one each time: no answer is remembered from the time before
  std::size_t cases = 0, allocated = 0;
  for ([[maybe_unused]] auto _ : state) {
    const Examination examination = examine(seed++);
    const Cost cost = part(examination);
    state.SetIterationTime(cost.seconds);
    cases += examination.cases, allocated += cost.allocations;
  }
  state.counters["per_case"] = benchmark::Counter(static_cast<double>(cases),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["allocations"] = static_cast<double>(allocated) / static_cast<double>(cases);
}

Cost whole(const Examination& e) { return Cost(e.generate) += e.check; }
Cost generate(const Examination& e) { return e.generate; }
Cost check(const Examination& e) { return e.check; }
Cost check_remembered(const Examination& e) { return e.again; }

BENCHMARK_CAPTURE(engine, whole, whole)->UseManualTime();
BENCHMARK_CAPTURE(engine, generate, generate)->UseManualTime();
BENCHMARK_CAPTURE(engine, check, check)->UseManualTime();
BENCHMARK_CAPTURE(engine, check_remembered, check_remembered)->UseManualTime();

// One head: several T x T arrays stay within memory at T = 2048.
void right_answer(benchmark::State& state) {
  const Index n_tokens = state.range(0), d_model = state.range(1);
  const auto some = [](Index rows, Index cols) { return Matrix(Matrix::Random(rows, cols)); };
  const double scale = 1 / std::sqrt(static_cast<double>(d_model));  // scores of order 1
  const Inputs<double> in{some(n_tokens, d_model),        some(d_model, d_model) * scale,
                          some(d_model, d_model) * scale, some(d_model, d_model),
                          some(d_model, d_model),         1};
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(expect(in, Dtype::float64, Care::quick).y_error().data());
}
BENCHMARK(right_answer)
    ->ArgNames({"T", "d_model"})
    ->ArgsProduct({benchmark::CreateRange(8, 2048, 2), {16, 64}})
    ->ArgsProduct({{256}, {8, 32, 128, 256}})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

}  // namespace
}  // namespace attest

int main(int argc, char** argv) {
  // As the program does at its start: memory that is given back and asked for again costs more than the arithmetic.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
