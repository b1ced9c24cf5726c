// attest grade: files in, reports out.
#include "grader/cli/commands.hpp"
#include "grader/cli/literal_case.hpp"
#include "grader/cli/output.hpp"
#include "grader/cli/progress_line.hpp"
#include "grader/exercises/nearest.hpp"
#include "grader/report/detail.hpp"
#include "grader/report/grade.hpp"
#include "grader/report/html.hpp"
#include "grader/report/json.hpp"
#include "grader/report/text.hpp"
#include "grader/sandbox/folder.hpp"
#include "grader/sandbox/terminal.hpp"
#include "grader/submission/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <random>
#include <thread>

namespace attest {
namespace {

// A renderer and where its text goes.
struct Destination {
  std::string format;
  Sink sink;
  bool begun = false;
};

std::vector<Destination> destinations(const GradeCommand& command) {
  const std::vector<std::string> known = {"text", "json", "html"};
  std::vector<Destination> all;
  bool out_used = command.out.empty();
  bool to_standard_output = false;
  for (const std::string& wish :
       command.formats.empty() ? std::vector<std::string>{"text"} : command.formats) {
    const std::size_t equals = wish.find('=');
    const std::string format = wish.substr(0, equals);
    if (std::find(known.begin(), known.end(), format) == known.end()) {
      throw UsageError(fmt::format("--format '{}': known formats are text, json and html{}", wish,
                                   did_you_mean(format, known)));
    }
    if (equals != std::string::npos) {
      if (equals + 1 == wish.size())
        throw UsageError(fmt::format("--format {}: the name of a file is missing", wish));
      all.push_back({format, Sink(wish.substr(equals + 1))});
    } else if (!out_used) {
      all.push_back({format, Sink(command.out)});
      out_used = true;
    } else {
      if (to_standard_output)
        throw UsageError("two formats on standard output cannot be told apart; say --format json=FILE");
      to_standard_output = true;
      all.push_back({format, Sink("")});
    }
  }
  for (const Destination& destination : all) {
    for (const std::string& file : command.files) {
      std::error_code none;  // one of the two may not exist; then they are not the same
      if (std::filesystem::equivalent(destination.sink.path(), file, none)) {
        throw UsageError(fmt::format("{} is graded: the report must go to another file", file));
      }
    }
  }
  if (!out_used) throw UsageError("--out has nothing to write: every --format names a file of its own");
  return all;
}

std::uint64_t seed_of(const std::string& text) {
  if (text.empty()) return Plan{}.seed;
  if (text == "random") {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32 | device()) >>
           1;  // 63 bits: other programs read it as signed
  }
  std::uint64_t seed = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
    throw UsageError(fmt::format("--seed {}: expected a whole number from 0 to 2^64 - 1, or random", text));
  }
  return seed;
}

// A file's float64 numbers become the float32 numbers that the call can have.
void round_to_float(Case& c) {
  if (!c.literal) return;
  Arguments rounded = *c.literal;
  for (Named& argument : rounded) {
    for (double& value : argument.tensor.values) value = static_cast<double>(static_cast<float>(value));
  }
  c.literal = std::make_shared<const Arguments>(std::move(rounded));
}

IsolationWish isolation_of(const GradeCommand& command) {
  IsolationWish wish;
  wish.strictness = command.isolation == "strict" ? Strictness::strict
                    : command.isolation == "none" ? Strictness::none
                                                  : Strictness::best_effort;
  for (const std::string& wall : command.without_walls) {
    if (wall == "landlock") wish.without.landlock = true;
    if (wall == "seccomp") wish.without.seccomp = true;
    if (wall == "user-id") wish.without.user_id = true;
  }
  if (wish.strictness == Strictness::none || level_of(wish) == "strict") return wish;
  std::vector<std::string> missing = walls_here().missing;
  for (const std::string& wall : command.without_walls)
    missing.push_back(wall + ": left out by --without-wall");
  const std::string walls = fmt::format("{}", fmt::join(missing, "\n  "));
  if (wish.strictness == Strictness::strict)
    throw UsageError(fmt::format(
        "--isolation strict: not every wall stands here, so nothing was run\n  {}\n"
        "Grade on a machine where they stand, or with --isolation best-effort files that you trust.",
        walls));
  fmt::print(stderr, "attest: not every wall stands here: grade only files that you trust\n  {}\n", walls);
  return wish;
}

GradeOptions options_of(const GradeCommand& command, const Ladder& ladder) {
  GradeOptions options;
  options.exercise = command.exercise;
  options.signature = command.signature;
  options.plan.seed = seed_of(command.seed);
  options.plan.cases = command.cases;
  options.plan.use_oracle = command.use_oracle;
  // More cases are more work: what a submission may use in all grows with them.
  const double share = std::max(1.0, command.cases / 200.0);
  options.worker.limits.total_cpu_s *= share;
  options.worker.limits.total_wall_s *= share;
  options.worker.limits.isolation = isolation_of(command);
  options.worker.dtype = command.dtype.value_or(Dtype::float64);
  if (!command.exercise.empty() && ladder.find(command.exercise) == nullptr) {
    throw UsageError(fmt::format("there is no exercise '{}'{} (attest list shows all)", command.exercise,
                                 did_you_mean(command.exercise, ladder.slugs())));
  }
  if (!command.only.empty()) {
    OneCase one = read_case(command.only, command.exercise, ladder);
    if (one.dtype && command.dtype && one.dtype != command.dtype) {
      throw UsageError(fmt::format("the case is in {}, but --dtype says {}", to_string(*one.dtype),
                                   to_string(*command.dtype)));
    }
    if (one.dtype)
      options.worker.dtype = *one.dtype;
    else if (options.worker.dtype == Dtype::float32)
      round_to_float(one.value);
    options.exercise = one.slug;
    options.plan.only = std::move(one.value);
  }
  return options;
}

// What became of one file.
struct Graded {
  std::optional<Report> report;
  std::string problem;  // the caller's mistake, in place of a report
  std::exception_ptr interruption;
};

Graded grade_one(const std::string& file, const Ladder& ladder, const GradeOptions& options, Detail detail,
                 ProgressLine& line) {
  Graded graded;
  try {
    const Submission submission = load(file);
    const auto progress = [&](std::size_t done, std::size_t all) { line.report(submission.name, done, all); };
    graded.report = told(grade(submission, ladder, options, progress), detail);
  } catch (const Interrupted&) {
    graded.interruption = std::current_exception();
  } catch (const std::exception& error) {
    graded.problem = error.what();
  }
  return graded;
}

std::string render(const Report& report, const std::string& path, const Destination& destination,
                   const GradeCommand& command, const Context& context) {
  if (destination.format == "json") return json_line(report) + "\n";
  if (destination.format == "html") return (destination.begun ? "" : html_begin()) + html_record(report);
  TextStyle style;
  style.colour = context.colour && destination.sink.is_standard_output();
  style.verbose = command.verbose;
  style.all = command.all;
  style.path = path;
  return to_text(report, style);
}

int status_of(const Report& report) {
  if (report.outcome == Outcome::internal_error) return kNotJudged;
  return report.outcome == Outcome::passed ? kAllPassed : kSomethingLost;
}

}  // namespace

int grade_command(const GradeCommand& command, const Context& context) {
  const Ladder ladder = context.ladder();
  const GradeOptions options = options_of(command, ladder);
  const Detail detail = parse_detail(command.detail).value();  // the command line takes no other
  std::vector<Destination> sinks = destinations(command);      // opened before any work is done
  if (command.seed == "random") fmt::print(stderr, "attest: seed {}\n", options.plan.seed);

  sweep_abandoned_folders();
  notice_interrupts();
  ProgressLine line(is_terminal(Stream::error));
  std::vector<Graded> graded(command.files.size());
  std::vector<std::atomic<bool>> done(command.files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < command.files.size(); i = next++) {
      graded[i] = grade_one(command.files[i], ladder, options, detail, line);
      if (graded[i].report && command.files.size() > 1) graded[i].report->id = visible(command.files[i]);
      done[i] = true;
      done[i].notify_all();
      if (graded[i].interruption) next = command.files.size();
    }
  };
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t jobs =
      std::min(command.files.size(), command.jobs > 0 ? static_cast<std::size_t>(command.jobs) : processors);
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work);
  if (command.files.size() == 1)
    work();
  else  // beside this one, which writes
    threads.emplace_back(work);

  // Reports come out in the order of the files, each as soon as those before it are there.
  int status = kAllPassed;
  std::size_t judged = 0;
  for (std::size_t i = 0; i < command.files.size(); ++i) {
    while (!done[i] && !interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (interrupted()) threads.clear();  // joins: none of them is in the middle of a report any more
    if (!done[i] || graded[i].interruption) continue;
    ++judged;
    line.erase();
    if (!graded[i].report) {
      fmt::print(stderr, "attest: {}\n", visible(graded[i].problem));
      status = kNotJudged;
      continue;
    }
    const Report report = std::move(*graded[i].report);
    graded[i].report.reset();  // of a whole class they would not fit into memory
    for (Destination& destination : sinks) {
      std::string text = render(report, command.files[i], destination, command, context);
      if (destination.format == "text" && i > 0) text.insert(0, "\n");
      destination.sink.write(text);
      destination.begun = true;
    }
    status = std::max(status, status_of(report));
  }
  for (Destination& destination : sinks) {  // an interrupted page is a whole one with fewer records
    if (destination.format == "html" && destination.begun) destination.sink.write(html_end());
  }
  threads.clear();  // joins
  line.erase();
  if (!interrupted()) return status;
  fmt::print(stderr, "attest: interrupted, {} of {} files judged\n", judged, command.files.size());
  return kInterrupted;
}

}  // namespace attest
