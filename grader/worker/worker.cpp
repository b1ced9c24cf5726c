// Keeps processes for a submission: one that is asked, spare ones for questions that need a fresh instance. Decides what a
// process that ended means for the question that was its last.
#include "grader/worker/worker.hpp"

#include "grader/submission/text.hpp"
#include "grader/worker/compiler.hpp"
#include "grader/worker/examine.hpp"
#include "grader/worker/files.hpp"
#include "grader/worker/greeting.hpp"
#include "grader/worker/process.hpp"
#include "grader/worker/python.hpp"
#include "grader/worker/signature.hpp"

#include <algorithm>
#include <deque>
#include <fstream>
#include <system_error>
#include <utility>

namespace attest {
namespace {

// Questions in one request: enough that waking the process costs little, few enough that one wrong answer in a batch wastes
// little. Measured: beyond 64 nothing is gained. A search asks 64 and what is left of the last case, which should not travel alone.
constexpr std::size_t kBatch = 128;
constexpr std::size_t kBatchBytes = 6u << 20;
constexpr std::size_t kMostSpares = 12;  // as many as one property needs, loading while others are asked
constexpr int kMostForgiven = 3;
constexpr double kTracedCpuS = 0.5;  // a traced call is never judged, so it need not be waited for

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "";
}

Problem python_only(const std::string& file, const Spec& spec) {
  Problem problem;
  problem.outcome = Outcome::no_entry;
  problem.fault = {"a file in C++ cannot be called as " + call_text(spec) + "; that is for Python",
                   printable_line(file), 0, ""};
  problem.advice =
      "Leave --signature out, or name one that is a function of arrays and integers (attest list).";
  return problem;
}

class ProcessWorker final : public Worker {
 public:
  ProcessWorker(const Submission& submission, const WorkerOptions& options)
      : submission_(submission), options_(options) {}

  std::optional<Problem> load(const std::vector<const Spec*>& specs) {
    const bool python = submission_.language == Language::python;
    if (auto problem = python ? prepare_python(specs) : prepare_cpp(specs)) return problem;
    auto problem = start_usual();
    if (!problem)
      start_spare();  // values are asked from a process's first call on: it loads while state is looked at
    if (problem && problem->outcome == Outcome::crashed) {
      if (auto fault = examine({})) problem->fault = *fault;
    }
    return problem;
  }

  std::optional<Fault> examine(std::span<const Question> questions) override {
    if (submission_.language != Language::cpp) return std::nullopt;
    if (!examiner_) examiner_.emplace(submission_, *specs_.front(), options_);
    return examiner_->examine(questions);
  }

  void begin(std::span<const Question> questions) override {
    if (questions.empty()) return drop_announced();
    start_spares(questions);
    const bool known = std::any_of(announced_.begin(), announced_.end(),
                                   [&](const auto& other) { return other.data() == questions.data(); });
    if (!known) announced_.push_back(questions);
    send_announced();
  }

  void restart() override {
    drop_announced();
    if (!usual_ || !usual_->asked()) return;
    retire(*usual_, true);
    usual_.reset();
  }

  std::vector<Reply> answer(std::span<const Question> questions) override {
    const bool expected = !announced_.empty() && announced_.front().data() == questions.data();
    if (!expected) drop_announced();
    start_spares(questions);
    std::vector<Reply> replies;
    replies.reserve(questions.size());
    while (replies.size() < questions.size()) {
      const auto rest = questions.subspan(replies.size());
      if (rest.front().fresh) {
        replies.push_back(answer_fresh(rest.first(1)));
      } else {
        answer_batch(rest.first(batch_size(rest)), replies);
      }
      if (replies.back().outcome == Outcome::timed_out) break;
    }
    if (expected) announced_.pop_front();
    send_announced();
    return replies;
  }

  bool sees_memory_order() const override { return submission_.language == Language::python; }
  const Spec& spec() const override { return *spec_; }
  bool call_as(const Spec& spec) override {
    if (!is_called_alike(spec, *spec_, submission_.language)) return false;
    restart();
    std::replace(specs_.begin(), specs_.end(), spec_, &spec);
    spec_ = &spec;
    return true;
  }

  std::string output_tail() const override {
    std::string text = printed_ + (usual_ ? usual_->output() : "");
    const std::size_t limit = options_.limits.output_kb * 1024;
    if (text.size() > limit) text.erase(0, text.size() - limit);
    return printable(text, limit);
  }

  Environment environment() const override { return environment_; }

 private:
  std::optional<Problem> prepare_python(const std::vector<const Spec*>& specs) {
    const Imports& policy = imports_of(submission_, specs);
    if (auto problem = refused_import(submission_, policy)) return problem;
    const auto python = find_python(policy.packages);
    if (!python) {
      Problem problem;
      problem.fault.message = "no Python with NumPy was found";
      problem.advice =
          "Install it (apt install python3-numpy), or name an interpreter that has it: "
          "ATTEST_PYTHON=/path/to/python3";
      return problem;
    }
    // A copy, so that what runs is what was read (and hashed), whatever happens to the file meanwhile.
    const auto source = files_.path() / "source";
    write_file(source, submission_.text);
    program_ = python_program(*python, submission_, source, specs, policy, options_.dtype);
    confine();
    specs_ = specs;
    return std::nullopt;
  }

  std::optional<Problem> prepare_cpp(const std::vector<const Spec*>& specs) {
    if (std::all_of(specs.begin(), specs.end(), [](const Spec* spec) { return !spec->calling.plan.empty(); }))
      return python_only(submission_.name, *specs.front());
    auto chain = find_toolchain(options_.dtype, options_.limits);
    if (auto* problem = std::get_if<Problem>(&chain)) return *problem;
    Toolchain& toolchain = std::get<Toolchain>(chain);
    if (!options_.reuse_program) toolchain.key.clear();
    environment_.compiler = toolchain.version;
    const std::vector<Definition> found = definitions(submission_);
    for (const Spec* spec : specs) {
      const auto defined = [&](const std::string& name) {
        return std::any_of(found.begin(), found.end(), [&](const Definition& d) { return d.name == name; });
      };
      if (!defined(spec->entry) || !spec->calling.plan.empty()) continue;
      spec = way_of_calling(*spec, specs, found);
      for (const Spec& other : spec->also) {
        if (!defined(other.entry)) return no_entry(submission_.name, Language::cpp, {&other}, found);
      }
      auto program = compile(toolchain, submission_, *spec, files_.path(), options_.limits);
      if (auto* problem = std::get_if<Problem>(&program)) return *problem;
      program_ = std::get<Program>(std::move(program));
      confine();
      specs_ = {spec};
      return std::nullopt;
    }
    if (auto problem = check_syntax(toolchain, submission_, files_.path(), options_.limits)) return problem;
    return no_entry(submission_.name, Language::cpp, specs, found);
  }

  // One user id for all processes of a submission.
  void confine() {
    if (walls_for(options_.limits.isolation).user_id) program_.user = next_user();
  }

  std::unique_ptr<Process> begin() {
    if (program_.is_zygote && !zygote_) zygote_.emplace(policy_of(program_, options_.limits, {}));
    return std::make_unique<Process>(program_, options_, zygote_ ? &*zygote_ : nullptr);
  }

  // One for each question that needs a fresh instance.
  void start_spares(std::span<const Question> questions) {
    const auto needed = static_cast<std::size_t>(
        std::count_if(questions.begin(), questions.end(), [](const Question& q) { return q.fresh; }));
    while (spares_.size() < std::min(needed, kMostSpares) && start_spare()) {
    }
  }

  // What keeps one from starting is reported when it is needed.
  bool start_spare() {
    try {
      spares_.push_back(begin());
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  // A process that is loaded and has never been asked: a spare one, or a new one.
  std::variant<std::unique_ptr<Process>, Problem> loaded() {
    try {
      std::unique_ptr<Process> process;
      if (spares_.empty()) {
        process = begin();
      } else {
        process = std::move(spares_.front());
        spares_.pop_front();
      }
      auto result = process->wait_until_loaded();
      if (auto* failure = std::get_if<Failure>(&result)) {
        retire(*process, true);
        return problem_from(*failure, *process);
      }
      const Hello& hello = std::get<Hello>(result);
      if (auto problem = problem_from(hello, *process)) {
        retire(*process, true);
        return *problem;
      }
      return process;
    } catch (const std::system_error& error) {
      Problem problem;
      problem.fault.message = std::string("a process for the submission cannot be started: ") + error.what();
      return problem;
    }
  }

  std::optional<Problem> start_usual() {
    auto result = loaded();
    if (auto* problem = std::get_if<Problem>(&result)) return *problem;
    usual_ = std::get<std::unique_ptr<Process>>(std::move(result));
    return std::nullopt;
  }

  // What is kept of a process that has done its work.
  void retire(const Process& process, bool keep_output) {
    used_cpu_s_ += process.cpu_s();
    if (!keep_output) return;
    printed_ += process.output();
    const std::size_t limit = options_.limits.output_kb * 1024;
    if (printed_.size() > limit) printed_.erase(0, printed_.size() - limit);
  }

  Problem problem_from(const Failure& failure, const Process& process) const {
    Problem problem{failure.outcome, failure.fault,
                    printable(process.output(), options_.limits.output_kb * 1024), ""};
    problem.fault.file = printable_line(submission_.name);
    return problem;
  }

  std::optional<Problem> problem_from(const Hello& hello, const Process& process) {
    environment_.python = hello.fact("python");
    environment_.numpy = hello.fact("numpy");
    environment_.blas = hello.fact("blas");
    if (environment_.cpu.empty()) environment_.cpu = cpu_name();
    Problem plain = problem_from(Failure{Outcome::import_error, hello.fault, false}, process);
    auto problem = problem_of(hello, std::move(plain), submission_, specs_);
    if (problem) return problem;
    const Spec* greeted = specs_[static_cast<std::size_t>(hello.entry)];
    if (spec_ != nullptr && greeted != spec_) {
      return problem_from(
          Failure{
              Outcome::rejected,
              {"loaded once more, the file defines another function than before. Rule: a submission is the "
               "same whenever it is loaded",
               "", 0, ""},
              true},
          process);
    }
    spec_ = greeted;
    return std::nullopt;
  }

  double cpu_left_s() const { return options_.limits.total_cpu_s - used_cpu_s_; }
  double wall_left_s() const {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - started_;
    return options_.limits.total_wall_s - used.count();
  }

  // A worker's time limit is for all its processes; what the living one has used counts from its own start.
  Process::Round ask(Process& process, std::span<const Question> questions) {
    Process::TimeLeft left = {cpu_left_s() - process.cpu_s(), wall_left_s()};
    if (questions.front().trace)
      left = {std::min(left.cpu_s, kTracedCpuS), std::min(left.wall_s, kTracedCpuS * 3)};
    return process.ask(questions, *spec_, left);
  }

  static Reply reply_from(const Failure& failure) { return {failure.outcome, failure.fault, {}, {}, {}}; }
  static Reply reply_from(const Problem& problem) { return {problem.outcome, problem.fault, {}, {}, {}}; }

  std::size_t batch_size(std::span<const Question> questions) const {
    std::size_t n = 0, bytes = 0;
    while (n < std::min(questions.size(), kBatch) && !questions[n].fresh) {
      bytes += encoded_size(questions[n], options_.dtype);
      if (n > 0 && bytes > kBatchBytes) break;
      ++n;
    }
    return n;
  }

  void answer_batch(std::span<const Question> questions, std::vector<Reply>& replies) {
    while (!questions.empty()) {
      if (!usual_) {
        if (const auto problem = start_usual()) {
          replies.insert(replies.end(), questions.size(), reply_from(*problem));
          return;
        }
      }
      const bool new_process = begun_.empty() ? !usual_->asked() : begun_.front().by_new_process;
      Process::Round round = ask(*usual_, questions);
      if (!begun_.empty()) begun_.pop_front();
      if (round.failure) begun_.clear();
      questions = questions.subspan(round.replies.size());
      const bool alone = new_process && round.replies.empty();
      std::move(round.replies.begin(), round.replies.end(), std::back_inserter(replies));
      if (!round.failure) return;
      retire(*usual_, true);
      usual_.reset();
      // Who waits costs nobody's processor but everybody's patience: three times are enough.
      if (round.failure->waited && ++waits_ >= 3) round.failure->total = true;
      if (round.failure->total || cpu_left_s() <= 0 || wall_left_s() <= 0) {
        replies.insert(replies.end(), questions.size(), reply_from(*round.failure));
        return;
      }
      const bool known = round.failure->outcome == Outcome::timed_out && is_slow_;
      replies.push_back(alone || known ? reply_from(*round.failure)
                                       : confirm(questions.first(1), *round.failure));
      if (replies.back().outcome == Outcome::timed_out)
        return;  // the next may take as long: the caller decides
      questions = questions.subspan(1);
    }
  }

  // In the order in which they will be answered, and none before all of those before it.
  void send_announced() {
    while (usual_ && begun_.size() < std::min<std::size_t>(announced_.size(), 2) &&
           (begun_.empty() || begun_.back().is_whole)) {
      const auto questions = announced_[begun_.size()];
      const auto batch = questions.first(batch_size(questions));
      if (batch.empty()) return;
      begun_.push_back({batch, batch.size() == questions.size(), !usual_->asked()});
      usual_->begin(batch);
    }
  }

  // Answers that nobody wants any more are waited for, and thrown away.
  void drop_announced() {
    announced_.clear();
    if (begun_.empty()) return;
    usual_->drop_waiting();
    const auto begun =
        std::exchange(begun_, {});  // whatever happens, their questions are not looked at again
    const Process::Round round = ask(*usual_, begun.front().questions);
    if (!round.failure) return;
    retire(*usual_, true);
    usual_.reset();
  }

  // The question during which a process ended, asked again as the first one of a new process.
  Reply confirm(std::span<const Question> question, const Failure& failure) {
    if (const auto problem = start_usual()) return reply_from(*problem);
    Process::Round round = ask(*usual_, question);
    if (round.failure) {
      retire(*usual_, true);
      usual_.reset();
      is_slow_ = is_slow_ || round.failure->outcome == Outcome::timed_out;
      return reply_from(*round.failure);
    }
    // A time limit that only a busy process misses is not held against anybody; but processes are not always busy.
    if (failure.outcome == Outcome::timed_out && ++forgiven_ <= kMostForgiven)
      return std::move(round.replies.front());
    Reply reply = reply_from(failure);
    reply.fault.message += " (after other calls; as the first call it gives a result)";
    return reply;
  }

  Reply answer_fresh(std::span<const Question> question) {
    const bool usual_is_new = usual_ && !usual_->asked();
    if (!usual_is_new) {
      auto result = loaded();
      if (auto* problem = std::get_if<Problem>(&result)) return reply_from(*problem);
      return ask_once(*std::get<std::unique_ptr<Process>>(result), question);
    }
    const std::unique_ptr<Process> process = std::move(usual_);
    return ask_once(*process, question);
  }

  Reply ask_once(Process& process, std::span<const Question> question) {
    start_spares(
        question);  // the next one loads while this one computes: where one is asked for, more will be
    Process::Round round = ask(process, question);
    retire(process, round.failure.has_value());
    return round.failure ? reply_from(*round.failure) : std::move(round.replies.front());
  }

  Submission submission_;
  WorkerOptions options_;
  PrivateFolder files_;  // the submission's copy, or the compiled program
  Program program_;
  std::vector<const Spec*> specs_;  // those that a hello may choose from
  const Spec* spec_ = nullptr;
  Environment environment_;
  std::optional<Zygote> zygote_;  // before the processes: it must outlive them
  std::unique_ptr<Process> usual_;
  std::deque<std::unique_ptr<Process>> spares_;  // oldest first
  struct Begun {
    std::span<const Question> questions;
    bool is_whole = false;  // all that was asked for: nothing has to come between it and the next
    bool by_new_process = false;
  };
  std::deque<std::span<const Question>> announced_;  // by begin(), and not answered yet
  std::deque<Begun> begun_;  // the first of them, with the usual process: one that is sent, one that will be
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double used_cpu_s_ = 0;  // by processes that have ended
  int forgiven_ = 0;       // calls that ran out of time, and not when they were asked again
  int waits_ = 0;          // calls that waited until their time was over
  bool is_slow_ = false;   // a call has run out of time, and again when it was a new process's first
  std::string printed_;    // by them
  std::optional<Examiner> examiner_;
};

}  // namespace

Isolation isolation_of(const IsolationWish& wish) {
  return {std::string(level_of(wish)), names_of(walls_for(wish))};
}

std::variant<std::unique_ptr<Worker>, Problem> Worker::start(const Submission& submission,
                                                             const std::vector<const Spec*>& specs,
                                                             const WorkerOptions& options) {
  if (auto problem = check(submission)) return *problem;
  try {
    auto worker = std::make_unique<ProcessWorker>(submission, options);
    if (auto problem = worker->load(specs)) return *problem;
    return std::unique_ptr<Worker>(std::move(worker));
  } catch (const std::system_error& error) {
    Problem problem;
    problem.fault.message = std::string("the submission cannot be run here: ") + error.what();
    return problem;
  }
}

}  // namespace attest
