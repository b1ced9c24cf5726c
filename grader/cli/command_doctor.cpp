// attest doctor: does everything that grading needs work here? Found out by grading, not by looking for files.
#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"
#include "grader/report/grade.hpp"
#include "grader/report/paint.hpp"
#include "grader/report/problem.hpp"
#include "grader/sandbox/sandbox.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

class Checkup {
 public:
  explicit Checkup(const Paint& paint) : paint_(paint) {}

  void ok(std::string_view what, std::string_view detail) { add(paint_.green("ok     "), what, detail); }
  void missing(std::string_view what, std::string_view detail, std::string_view remedy) {
    add(paint_.red("missing"), what, detail);
    if (!remedy.empty()) text_ += fmt::format("{:22}{}\n", "", remedy);
    complete_ = false;
  }
  void note(std::string_view what, std::string_view detail) { add("       ", what, detail); }
  const std::string& text() const { return text_; }
  bool complete() const { return complete_; }

 private:
  void add(const std::string& mark, std::string_view what, std::string_view detail) {
    text_ += fmt::format("{}  {:<13}{}\n", mark, what, detail);
  }
  Paint paint_;
  std::string text_;
  bool complete_ = true;
};

// The exercise's own solution must load and answer.
void check_language(Checkup& checkup, const Exercise& exercise, Language language) {
  const bool python = language == Language::python;
  const char* name = python ? "Python" : "C++";
  const char* remedy = python ? "Debian, Ubuntu: apt install python3-numpy; elsewhere: pip install numpy"
                              : "Debian, Ubuntu: apt install g++ libeigen3-dev";
  const Submission solution = load(exercise.folder / (python ? "solution.py" : "solution.cpp"));
  WorkerOptions options;
  options.reuse_program = false;  // the compiler is asked too
  const auto started = Worker::start(solution, {&exercise.spec}, options);
  if (const auto* problem = std::get_if<Problem>(&started)) {
    checkup.missing(name, problem_sentence(problem->outcome, problem->fault), remedy);
    return;
  }
  Worker& worker = *std::get<std::unique_ptr<Worker>>(started);
  Case c;
  for (const std::string& symbol : exercise.spec.free_symbols()) c.free[symbol] = 2;
  const std::vector<Question> questions{{materialise(exercise.spec, c, Dtype::float64)}};
  const Reply reply = worker.answer(questions).at(0);
  if (reply.outcome != Outcome::passed) {
    checkup.missing(name, fault_sentence(reply.outcome, reply.fault), "");
    return;
  }
  const Environment environment = worker.environment();
  if (python) {
    checkup.ok(name, fmt::format("{} with NumPy {}", environment.python, environment.numpy));
  } else {
    checkup.ok(name, environment.compiler.empty() ? "compiles and runs" : environment.compiler);
  }
}

}  // namespace

int doctor_command(const Context& context) {
  Checkup checkup((Paint(context.colour)));
  try {
    const Ladder ladder = context.ladder();
    checkup.ok("exercises", fmt::format("{} in {}", ladder.exercises.size(), ladder.folder.string()));
    check_language(checkup, ladder.preferred(), Language::python);
    check_language(checkup, ladder.preferred(), Language::cpp);
  } catch (const LadderError& error) {
    checkup.missing("exercises", error.what(), "");
  } catch (const std::exception& error) {
    checkup.missing("transport", error.what(), "");
  }
  const Isolation isolation = isolation_of({});
  const WallsHere& here = walls_here();
  const std::string walls = fmt::format("{} ({})", isolation.level, fmt::join(isolation.walls, ", "));
  if (isolation.level == "strict")
    checkup.ok("isolation", walls);
  else
    checkup.note("isolation", walls + ": grade only files that you trust");
  for (const std::string& wall : here.missing) checkup.note("", "no " + wall);
  if (!here.refused.empty())
    checkup.note("", fmt::format("tried and refused: {}", fmt::join(here.refused, ", ")));
  if (!here.allowed.empty())
    checkup.note("", fmt::format("tried and possible: {}", fmt::join(here.allowed, ", ")));
  const Limits limits;
  checkup.note(
      "limits",
      fmt::format("{:g} s a call, {:g} s in all (processor time), {} MB a process, {:g} s to compile",
                  limits.call_cpu_s, limits.total_cpu_s, limits.memory_mb, limits.compile_cpu_s));
  print(checkup.text());
  return checkup.complete() ? kAllPassed : kNotJudged;
}

}  // namespace attest
