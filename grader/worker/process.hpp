// One process that runs one submission: started, greeted, asked, watched. What it does wrong ends it; who asks again
// decides what that means (worker.cpp).
#pragma once

#include "grader/sandbox/output.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "grader/sandbox/zygote.hpp"
#include "grader/worker/channel.hpp"
#include "grader/worker/worker.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

// How to run a submission.
struct Program {
  std::vector<std::string> argv;
  bool is_zygote = false;     // argv is a program that forks (zygote.hpp), not one that answers
  Reach reach;                // what it may open, beside its own folder
  std::optional<uid_t> user;  // who it runs as, where that can be chosen
  std::string name;           // of the submission's file
  // Adds the line where it happened to a fault that has addresses or printed text to find it by. The text is what the
  // process printed.
  std::function<void(Fault&, const std::string&)> locate;
};

struct Failure {
  Outcome outcome = Outcome::internal_error;
  Fault fault;
  bool waited = false;  // out of time by the clock on the wall, not by its work
  bool total = false;   // the submission's whole time is used up: asking again makes no sense
};

// The walls and limits of every process of a submission.
Policy policy_of(const Program& program, const Limits& limits, const std::filesystem::path& folder);

class Process {
 public:
  // Starts it; does not wait. `zygote`: the running program, where it is one. Throws std::system_error when it cannot be started.
  Process(const Program& program, const WorkerOptions& options, Zygote* zygote);

  // Waits until the submission is loaded. Hello::status says how that went; a failure, that it never got so far.
  std::variant<Hello, Failure> wait_until_loaded();

  // The replies that came, in order, and what happened before the next one.
  struct Round {
    std::vector<Reply> replies;
    std::optional<Failure> failure;  // the process has ended
  };
  // What is left of a submission's time for all its calls.
  struct TimeLeft {
    double cpu_s, wall_s;
  };
  // Sends questions; what they are answered is waited for by ask(), with the same ones. While others are on their way: as soon as
  // those are answered, unless the process has ended by then.
  void begin(std::span<const Question> questions);
  void drop_waiting() { waiting_.reset(); }
  Round ask(std::span<const Question> questions, const Spec& spec, TimeLeft left);

  bool asked() const { return asked_; }
  double cpu_s() const { return child_.cpu_s(); }
  std::string output() const { return output_.text(); }

 private:
  enum class Event { message, ended, nothing };
  Event wait_for_event();
  Failure ended();
  Failure stop(Outcome outcome, std::string message);
  Failure rejected(const std::string& fact);
  std::optional<Failure> wrote_too_much();
  Failure located(Failure failure);

  const Program& program_;
  Limits limits_;
  Dtype dtype_;
  Channel channel_;
  Output output_;
  PrivateFolder folder_;
  Child child_;
  Channel::Received received_;
  std::optional<wire::CrashNote> crash_;
  std::chrono::steady_clock::time_point folder_seen_ = std::chrono::steady_clock::now();
  bool closed_ = false;
  bool asked_ = false;
  struct Request {
    const Question* first;
    std::size_t count;
    std::uint64_t nonce;
    Bytes payload;
    double cpu_s = 0;  // the process had used when it was sent
  };
  void send(Request request);
  Bytes spare_;                            // the memory of an earlier request
  std::optional<Request> sent_, waiting_;  // questions whose answers nobody has asked for yet
};

// Return addresses as the text that Program::locate understands: "@ 401a2b 401c00".
std::string addresses_text(std::span<const std::uint64_t> addresses);

}  // namespace attest
