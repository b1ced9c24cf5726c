// A C++ submission asked once more, in a process that watches its memory (AddressSanitizer, UndefinedBehaviorSanitizer).
#pragma once

#include "grader/worker/compiler.hpp"
#include "grader/worker/process.hpp"
#include "grader/worker/worker.hpp"

#include <optional>
#include <span>

namespace attest {

class Examiner {
 public:
  Examiner(const Submission& submission, const Spec& spec, const WorkerOptions& options);

  // Asks these questions in order, in a new process; none: only loads it. What it did wrong with memory, if anything. Nothing either
  // where that cannot be found out: no sanitizers are installed, say. Compiles the submission when it is first called: a second or
  // two, and a dozen more the first time on a machine.
  std::optional<Fault> examine(std::span<const Question> questions);

 private:
  void compile_once();

  const Submission& submission_;
  const Spec& spec_;
  WorkerOptions options_;
  PrivateFolder folder_;  // the compiled program
  std::optional<Program> program_;
  bool is_compiled_ = false;
};

}  // namespace attest
