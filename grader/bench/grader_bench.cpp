// What a grade costs, with the parts apart: `grader_bench COMMAND ...` prints one line of JSON, times in seconds.
//
//   examine FILE EXERCISE [ID,ID,...]   the default plan, or these properties of it: the worker's start, the examination
//   unwalled FILE EXERCISE              the same without the walls around the submission, to see what they cost
//   record FILE EXERCISE OUT            the same, and all calls that were made, in OUT
//   crash FILE EXERCISE N               N calls, each of which ends the process: each call with the restart before it
//   diagnose FILE EXERCISE              naming the bug of a file that is wrong, once its worker is there
//   compiler                            the compiler and the flags that a submission is compiled with
//
// OUT is 64-bit words: the number of calls; for each its memory order and its number of arguments; for each of those whether it
// is an integer, its rank, its dims, its values as float64.
#include "grader/exercises/ladder.hpp"
#include "grader/worker/compiler.hpp"
#include "grader/worker/worker.hpp"
#include "properties/diagnose.hpp"
#include "properties/run.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <chrono>
#include <fstream>
#include <span>
#include <stdexcept>

namespace attest {
namespace {

using Json = nlohmann::json;

class Stopwatch {
 public:
  // Seconds since it was made, or since the last lap.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(since_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

std::unique_ptr<Worker> start(const std::string& file, const Exercise& exercise, bool walled = true) {
  WorkerOptions options;
  if (!walled) options.limits.isolation.strictness = Strictness::none;
  auto started = Worker::start(load(file), {&exercise.spec}, options);
  if (const auto* problem = std::get_if<Problem>(&started))
    throw std::runtime_error(file + " cannot be asked: " + problem->fault.message);
  return std::get<std::unique_ptr<Worker>>(std::move(started));
}

// Passes questions on, and writes down which.
class Recorder final : public Candidate {
 public:
  Recorder(Candidate& inner, const std::string& file) : inner_(inner), file_(file, std::ios::binary) {
    put(0);  // their number, known at the end
  }
  ~Recorder() override {
    file_.seekp(0);
    put(calls_);
  }

  std::vector<Reply> answer(std::span<const Question> questions) override {
    for (const Question& question : questions) write(question);
    return inner_.answer(questions);
  }
  void begin(std::span<const Question> questions) override { inner_.begin(questions); }
  void restart() override { inner_.restart(); }
  bool sees_memory_order() const override { return inner_.sees_memory_order(); }

 private:
  void put(std::int64_t word) { file_.write(reinterpret_cast<const char*>(&word), sizeof word); }

  void write(const Question& question) {
    ++calls_;
    put(static_cast<std::int64_t>(question.order));
    put(std::ssize(question.arguments));
    for (const auto& [name, tensor, integer] : question.arguments) {
      put(integer ? 1 : 0);
      put(std::ssize(tensor.dims));
      for (const Index dim : tensor.dims) put(dim);
      for (const double value : tensor.values) put(std::bit_cast<std::int64_t>(value));
    }
  }

  Candidate& inner_;
  std::ofstream file_;
  std::int64_t calls_ = 0;
};

// Counts them, and does nothing else.
class Counter final : public Candidate {
 public:
  explicit Counter(Candidate& inner) : inner_(inner) {}
  std::vector<Reply> answer(std::span<const Question> questions) override {
    calls += questions.size();
    return inner_.answer(questions);
  }
  void begin(std::span<const Question> questions) override { inner_.begin(questions); }
  void restart() override { inner_.restart(); }
  bool sees_memory_order() const override { return inner_.sees_memory_order(); }
  std::size_t calls = 0;

 private:
  Candidate& inner_;
};

// The rubric's properties, or those among `ids`.
std::vector<const Property*> properties_of(const Exercise& exercise, const std::string& ids) {
  std::vector<const Property*> chosen;
  for (const Rubric& row : exercise.rubric) {
    if (ids.empty() || ("," + ids + ",").find("," + std::string(row.property->id) + ",") != std::string::npos)
      chosen.push_back(row.property);
  }
  return chosen;
}

Json examine(const std::string& file, const Exercise& exercise, const std::string& ids, bool walled = true) {
  Stopwatch watch;
  const auto worker = start(file, exercise, walled);
  const double start_s = watch.lap();
  Counter counter(*worker);
  const auto results = run(properties_of(exercise, ids), exercise.spec, Dtype::float64, counter, {});
  const double examine_s = watch.lap();
  int cases = 0;
  for (const PropertyResult& result : results) {
    cases += result.cases;
    if (result.outcome != Outcome::passed && result.applies && !result.property->warning)
      throw std::runtime_error(std::string(result.property->id) + " does not hold: nothing was measured");
  }
  return {{"start", start_s}, {"examine", examine_s}, {"calls", counter.calls}, {"cases", cases}};
}

Json record(const std::string& file, const Exercise& exercise, const std::string& out) {
  const auto worker = start(file, exercise);
  Recorder recorder(*worker, out);
  run(properties_of(exercise, ""), exercise.spec, Dtype::float64, recorder, {});
  return {{"calls", out}};
}

Json crash(const std::string& file, const Exercise& exercise, int times) {
  const auto worker = start(file, exercise);
  Case c;
  for (const std::string& symbol : exercise.spec.free_symbols()) c.free[symbol] = 2;
  const std::vector<Question> one{{materialise(exercise.spec, c, Dtype::float64)}};
  const auto must_crash = [&] {
    if (worker->answer(one).at(0).outcome != Outcome::crashed)
      throw std::runtime_error(file + " did not crash");
  };
  must_crash();  // of the process that was started with the worker
  std::vector<double> seconds;
  Stopwatch watch;
  for (int i = 0; i < times; ++i) {
    must_crash();
    seconds.push_back(watch.lap());
  }
  return {{"restarts", seconds}};
}

Json name_the_bug(const std::string& file, const Exercise& exercise) {
  const auto worker = start(file, exercise);
  Subject subject;
  subject.spec = &exercise.spec;
  Stopwatch watch;
  const Diagnosis diagnosis = diagnose(subject, *worker, Plan{}.seed, zoo(), {});
  return {{"diagnose", watch.lap()}, {"named", !diagnosis.suspects.empty()}};
}

Json compiler() {
  const auto found = find_toolchain(Dtype::float64, {});
  if (const auto* problem = std::get_if<Problem>(&found)) throw std::runtime_error(problem->fault.message);
  const auto& chain = std::get<Toolchain>(found);
  return {
      {"compiler", chain.compiler}, {"version", chain.version}, {"flags", chain.flags}, {"link", chain.link}};
}

Json command(std::span<const std::string> words) {
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  if (word(0) == "compiler") return compiler();
  const Ladder ladder = read_ladder(find_exercises("/proc/self/exe"), catalogue());
  const Exercise* exercise = ladder.find(word(2));
  if (exercise == nullptr) throw std::runtime_error("usage: see the head of grader/bench/grader_bench.cpp");
  if (word(0) == "examine") return examine(word(1), *exercise, word(3));
  if (word(0) == "unwalled") return examine(word(1), *exercise, "", false);
  if (word(0) == "record") return record(word(1), *exercise, word(3));
  if (word(0) == "diagnose") return name_the_bug(word(1), *exercise);
  if (word(0) == "crash") return crash(word(1), *exercise, std::stoi(word(3)));
  throw std::runtime_error("there is no command " + word(0));
}

}  // namespace
}  // namespace attest

int main(int argc, char** argv) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // as the program does
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    fmt::print("{}\n", attest::command(words).dump());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "grader_bench: {}\n", error.what());
    return 2;
  }
}
