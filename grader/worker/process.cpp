#include "grader/worker/process.hpp"

#include "grader/sandbox/terminal.hpp"
#include "grader/submission/text.hpp"

#include <poll.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <utility>

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// How often the clocks are looked at while nothing happens.
constexpr int kTickMs = 20;

// How often its folder is looked through while it works: a disk takes at most a few hundred MB in that time.
constexpr std::chrono::milliseconds kFolderTick(200);

// A worker that ends closes its pipe a moment before it can be waited for.
constexpr int kGraceMs = 2000;

// Unpredictable, so that an answer prepared before the question is refused.
std::uint64_t draw_nonce() {
  static thread_local std::random_device source;
  return static_cast<std::uint64_t>(source()) << 32 | source();
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
}

std::string signal_message(int signal, const std::optional<wire::CrashNote>& note) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS: {
      // A fault just below or above the stack pointer is the stack's guard page. One frame of a function with large local
      // arrays may step over a page or two.
      if (note && note->stack_pointer != 0) {
        const std::uint64_t low = std::min(note->fault_address, note->stack_pointer);
        if (std::max(note->fault_address, note->stack_pointer) - low < (1u << 20)) {
          return "stack overflow (" + signal_name(signal) +
                 "): a recursion without an end, or very large local arrays";
        }
      }
      return "segmentation fault (" + signal_name(signal) + "): memory was used that is not the program's";
    }
    case SIGABRT:
      return "abort (SIGABRT): the program ended itself after an internal error";
    case SIGFPE:
      return "arithmetic error (SIGFPE): an integer was divided by zero";
    case SIGILL:
      return "illegal instruction (SIGILL): often a function that ends without a return";
    case SIGTRAP:
      return "trap (SIGTRAP): often a function that ends without a return";
    case SIGXFSZ:
      return "it wrote a file of more than 16 MB (SIGXFSZ)";
    case SIGSYS:
      return "it made a system call that does not exist here (SIGSYS)";
    case SIGKILL:
      return "it was killed (SIGKILL): by the system, which does that when memory runs out, or by itself";
    default:
      return "it was ended by " + signal_name(signal);
  }
}

void clean(Fault& fault) {
  fault.message = printable_line(fault.message);
  fault.file = printable_line(fault.file, 200);
  fault.traceback = printable(fault.traceback, 16u << 10);
}

Outcome outcome_of(wire::Status status) {
  switch (status) {
    case wire::Status::answered:
      return Outcome::passed;
    case wire::Status::unfinished:
      return Outcome::unfinished;
    case wire::Status::out_of_memory:
      return Outcome::out_of_memory;
    case wire::Status::exited:
      return Outcome::exited;
    case wire::Status::wrong_type:
      return Outcome::wrong_type;
    case wire::Status::wrong_shape:
      return Outcome::wrong_shape;
    default:
      return Outcome::raised;
  }
}

}  // namespace

std::string addresses_text(std::span<const std::uint64_t> addresses) {
  std::string text = "@";
  for (const std::uint64_t address : addresses) {
    char hex[20];
    std::snprintf(hex, sizeof hex, " %llx", static_cast<unsigned long long>(address));
    text += hex;
  }
  return text;
}

Policy policy_of(const Program& program, const Limits& limits, const std::filesystem::path& folder) {
  Policy policy;
  policy.argv = program.argv;
  policy.folder = folder;
  policy.environment = clean_environment(folder);
  policy.memory_bytes = limits.memory_mb << 20;
  policy.cpu_s = limits.total_cpu_s + limits.load_cpu_s + 1;
  policy.walls = walls_for(limits.isolation);
  policy.reach = program.reach;
  policy.user = program.user;
  return policy;
}

Process::Process(const Program& program, const WorkerOptions& options, Zygote* zygote)
    : program_(program),
      limits_(options.limits),
      dtype_(options.dtype),
      channel_(options.shared_memory),
      output_(options.limits.output_kb * 1024) {
  std::vector<std::pair<int, int>> descriptors = {{output_.child_end(), 1}, {output_.child_end(), 2}};
  for (const auto& pair : channel_.child_descriptors()) descriptors.push_back(pair);
  if (zygote != nullptr) {
    child_ = zygote->fork(descriptors, folder_.path());
  } else {
    Policy policy = policy_of(program, limits_, folder_.path());
    policy.descriptors = std::move(descriptors);
    child_ = spawn(policy);
  }
  output_.child_started();
  channel_.child_started();
}

Process::Event Process::wait_for_event() {
  if (channel_.next(received_)) return Event::message;
  stop_if_interrupted();
  pollfd waiting[4] = {{closed_ ? -1 : channel_.to_poll_read(), POLLIN, 0},
                       {output_.descriptor(), POLLIN, 0},
                       {child_.pidfd(), POLLIN, 0},
                       {channel_.sending() ? channel_.to_poll_write() : -1, POLLOUT, 0}};
  poll(waiting, 4, kTickMs);
  channel_.pump();
  if (waiting[1].revents != 0) output_.drain();
  const bool gone = child_.pidfd() >= 0 ? waiting[2].revents != 0 : child_.ended();
  if (!closed_ && (gone || waiting[0].revents != 0)) closed_ = !channel_.receive();
  if (channel_.next(received_)) return Event::message;
  return gone || closed_ ? Event::ended : Event::nothing;
}

Failure Process::located(Failure failure) {
  output_.drain();
  if (program_.locate) program_.locate(failure.fault, output_.text());
  clean(failure.fault);
  return failure;
}

Failure Process::stop(Outcome outcome, std::string message) {
  child_.kill();
  child_.wait();
  return located({outcome, {std::move(message), "", 0, ""}, false});
}

std::optional<Failure> Process::wrote_too_much() {
  if (Clock::now() - folder_seen_ < kFolderTick) return std::nullopt;
  folder_seen_ = Clock::now();
  if (bytes_in(folder_.path(), limits_.folder_mb << 20) < limits_.folder_mb << 20) return std::nullopt;
  Failure failure =
      stop(Outcome::rejected, "it filled its folder: more than " + std::to_string(limits_.folder_mb) +
                                  " MB, 10,000 files or 100 folders inside one another. Rule: a submission "
                                  "computes; files are not needed for it");
  failure.total = true;
  return failure;
}

Failure Process::rejected(const std::string& fact) {
  return stop(Outcome::rejected,
              "the process sent " + fact +
                  ". Rule: a submission returns its result; the descriptors and the memory that carry "
                  "it to the grader are not its to use");
}

Failure Process::ended() {
  for (int waited = 0; !child_.ended() && waited < kGraceMs; waited += kTickMs) {
    pollfd waiting = {child_.pidfd(), POLLIN, 0};
    poll(&waiting, 1, kTickMs);
  }
  if (!child_.ended())
    return rejected("nothing more: its connection to the grader was closed while it went on running");
  const Exit exit = child_.wait();
  Failure failure;
  if (crash_ && crash_->signal == 0) {  // an exception where none can be caught
    failure.outcome = Outcome::raised;
    failure.fault.message.assign(crash_->message, strnlen(crash_->message, sizeof crash_->message));
  } else if (exit.signal == SIGXCPU) {
    failure.outcome = Outcome::timed_out;
    failure.total = true;
    failure.fault.message = "all the CPU time that a submission may use is used up";
  } else if (exit.signal != 0) {
    failure.outcome = Outcome::crashed;
    failure.fault.message = signal_message(exit.signal, crash_);
  } else {
    failure.outcome = Outcome::exited;
    failure.fault.message = "the program ended itself with exit status " + std::to_string(exit.status) +
                            " instead of returning a result";
  }
  if (crash_) {
    const auto frames = std::clamp<std::int64_t>(crash_->frames, 0, std::ssize(crash_->addresses));
    failure.fault.traceback = addresses_text({crash_->addresses, static_cast<std::size_t>(frames)});
  }
  return located(std::move(failure));
}

std::variant<Hello, Failure> Process::wait_until_loaded() {
  const auto start = Clock::now();
  try {
    for (;;) {
      switch (wait_for_event()) {
        case Event::message:
          if (received_.message.kind == wire::Kind::crash) {
            crash_ = Reader(received_.payload).take<wire::CrashNote>("a note about a crash");
            break;
          }
          if (received_.message.kind != wire::Kind::hello)
            throw Breach("a reply before there was a question");
          {
            Hello hello = decode_hello(received_.payload);
            if (program_.locate) program_.locate(hello.fault, output_.text());
            clean(hello.fault);
            for (auto& [key, value] : hello.facts)
              key = printable_line(key, 100), value = printable_line(value, 300);
            output_.drain();
            return hello;
          }
        case Event::ended:
          return ended();
        case Event::nothing:
          break;
      }
      if (auto failure = wrote_too_much()) return *failure;
      if (child_.cpu_s() > limits_.load_cpu_s) {
        return stop(Outcome::timed_out, "loading the file used more than " +
                                            seconds_text(limits_.load_cpu_s) +
                                            " of CPU time: it computes before any function is called");
      }
      if (seconds_since(start) > limits_.load_cpu_s * limits_.wall_factor) {
        return stop(Outcome::timed_out, "loading the file took more than " +
                                            seconds_text(limits_.load_cpu_s * limits_.wall_factor) +
                                            ", most of it waiting");
      }
    }
  } catch (const Breach& breach) {
    return rejected(breach.what());
  }
}

void Process::begin(std::span<const Question> questions) {
  asked_ = true;
  Request request{questions.data(), questions.size(), draw_nonce(), std::exchange(spare_, {})};
  std::size_t bytes = 0;
  for (const Question& question : questions) bytes += encoded_size(question, dtype_);
  make_room(request.payload, bytes);
  for (const Question& question : questions) encode(question, dtype_, request.payload);
  if (sent_) {
    waiting_ = std::move(request);
  } else {
    send(std::move(request));
  }
}

void Process::send(Request request) {
  request.cpu_s = child_.cpu_s();
  channel_.send(request.nonce, request.count, request.payload);
  spare_ = std::exchange(request.payload, {});
  sent_ = std::move(request);
}

Process::Round Process::ask(std::span<const Question> questions, const Spec& spec, TimeLeft left) {
  if (sent_ && sent_->first != questions.data()) throw std::logic_error("other questions were sent");
  if (!sent_) begin(questions);
  const std::uint64_t nonce = sent_->nonce;
  const double cpu_at_start = sent_->cpu_s;
  std::vector<std::optional<Reply>> got(questions.size());
  std::size_t through_pipe = 0;
  Round round;

  const auto accept = [&](Answered answered) {
    if (got[answered.index]) throw Breach("two answers to one question");
    Reply& reply = answered.reply;
    reply.outcome = outcome_of(answered.status);
    if (reply.outcome != Outcome::passed) {
      reply.results.clear();
      if (program_.locate) program_.locate(reply.fault, "");
      clean(reply.fault);
    } else {
      reply.fault = {};
    }
    got[answered.index] = std::move(reply);
  };
  // Answers up to the first gap; what came after it belongs to no instance's history.
  const auto finish = [&] {
    for (auto& reply : got) {
      if (!reply) break;
      round.replies.push_back(std::move(*reply));
    }
    // A process that ended had not finished with its last question, whatever it had written down by then.
    if (round.failure && round.replies.size() == questions.size()) round.replies.pop_back();
    return std::move(round);
  };
  const auto fail = [&](Failure failure) {
    // What was answered before stands.
    std::uint64_t hint = 0;
    const Bytes bytes = channel_.salvage(&hint);
    Reader reader(bytes);
    try {
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(hint, questions.size()); ++i) {
        accept(decode_answer(reader, questions, spec));
      }
    } catch (const Breach&) {  // an answer that was being written
    }
    round.failure = std::move(failure);
    return finish();
  };

  // The clocks of one call start anew when an answer is seen: later than it came, never sooner, so nobody is judged on
  // another question's time. The hint can put this off at most once for each question.
  double cpu_mark = cpu_at_start;
  const auto wall_at_start = Clock::now();
  auto wall_mark = wall_at_start;
  std::uint64_t seen = 0;
  try {
    for (;;) {
      switch (wait_for_event()) {
        case Event::message: {
          const wire::Message& message = received_.message;
          Reader reader(received_.payload);
          if (message.kind == wire::Kind::crash) {
            crash_ = reader.take<wire::CrashNote>("a note about a crash");
            break;
          }
          if (message.kind == wire::Kind::hello) throw Breach("a second greeting");
          if (message.nonce != nonce) throw Breach("a reply to a question that was not asked");
          if (message.kind == wire::Kind::answer) {
            accept(decode_answer(reader, questions, spec));
            ++through_pipe;
            if (reader.left() != 0) throw Breach("more than one answer in a message");
            break;
          }
          if (message.count + through_pipe != questions.size()) {
            throw Breach(std::to_string(message.count + through_pipe) + " answers to " +
                         std::to_string(questions.size()) + " questions");
          }
          sent_.reset();
          if (waiting_) {  // the answers are copied, so the area is free: nobody waits while they are read
            send(std::move(*waiting_));
            waiting_.reset();
          }
          for (std::uint64_t i = 0; i < message.count; ++i) accept(decode_answer(reader, questions, spec));
          if (reader.left() != 0) throw Breach("bytes behind its last answer");
          return finish();
        }
        case Event::ended:
          return fail(ended());
        case Event::nothing:
          break;
      }
      const std::uint64_t hint =
          std::min<std::uint64_t>(channel_.answers_hint(), questions.size()) + through_pipe;
      const double cpu = child_.cpu_s();
      if (hint > seen && seen < questions.size()) {
        seen = std::min<std::uint64_t>(hint, questions.size());
        cpu_mark = cpu;
        wall_mark = Clock::now();
      } else if (cpu - cpu_mark > limits_.call_cpu_s) {
        return fail(
            stop(Outcome::timed_out, "no result after " + seconds_text(limits_.call_cpu_s) +
                                         " of CPU time: a loop without an end, or far too much work"));
      } else if (seconds_since(wall_mark) > limits_.call_cpu_s * limits_.wall_factor) {
        Failure failure = stop(Outcome::timed_out,
                               "no result after " + seconds_text(limits_.call_cpu_s * limits_.wall_factor) +
                                   ", most of them spent waiting");
        failure.waited = true;
        return fail(std::move(failure));
      }
      if (auto failure = wrote_too_much()) return fail(std::move(*failure));
      const bool out_of_cpu = cpu - cpu_at_start > left.cpu_s;
      if (out_of_cpu || seconds_since(wall_at_start) > left.wall_s) {
        Failure failure =
            stop(Outcome::timed_out, out_of_cpu ? "all the CPU time that a submission may use, " +
                                                      seconds_text(limits_.total_cpu_s) + ", is used up"
                                                : "all the time that a submission may take, " +
                                                      seconds_text(limits_.total_wall_s) +
                                                      ", has passed, most of it waiting");
        failure.total = true;
        return fail(std::move(failure));
      }
    }
  } catch (const Breach& breach) {
    round.failure = rejected(breach.what());
    return finish();
  }
}

}  // namespace attest
