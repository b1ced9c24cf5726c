// A submission running in a process of its own, as a Candidate. The process gets tensors and gives tensors back; it never
// sees expected values, properties or seeds. What it says is checked here, on our side.
#pragma once

#include "grader/sandbox/walls.hpp"
#include "grader/submission/submission.hpp"
#include "properties/candidate.hpp"
#include "properties/spec.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace attest {

// What a submission may use, and what stands around it.
struct Limits {
  double load_cpu_s = 10;      // import, or static initialisers
  double compile_cpu_s = 60;   // C++ only
  double call_cpu_s = 2;       // one call; judged on the worker's CPU time, confirmed alone in a fresh worker
  double total_cpu_s = 120;    // everything that one submission may use
  double wall_factor = 10;     // wall-clock backstop of a call and of loading: this many times the CPU limit
  double total_wall_s = 1200;  // ten times as much by the clock on the wall, for what waits
  std::size_t memory_mb = 2048;  // address space
  std::size_t output_kb = 64;    // of stdout + stderr that are kept: the tail
  std::size_t folder_mb = 64;    // all files together that it has written
  IsolationWish isolation;
};

// What a report says about where it was made. Empty when unknown.
struct Environment {
  std::string python, numpy, blas, compiler, cpu;
};

// Which walls stand around a submission, by name, and the level that they make (walls.hpp).
struct Isolation {
  std::string level;
  std::vector<std::string> walls;
};
Isolation isolation_of(const IsolationWish& wish);

struct WorkerOptions {
  Dtype dtype = Dtype::float64;
  Limits limits;
  bool shared_memory = true;  // false: frames travel through the pipes
  bool reuse_program = true;  // C++; false: compiled even if the same file was compiled before
};

class Worker : public Candidate {
 public:
  // Starts a process for the submission (C++: compiles it first). `specs` are the exercises it may be for, hardest first:
  // the first whose entry the submission defines is chosen. The problem otherwise: import_error, compile_error, no_entry
  // (naming the functions that were found, and an adapter for the nearest one), timed_out, crashed, exited ...
  static std::variant<std::unique_ptr<Worker>, Problem> start(const Submission& submission,
                                                              const std::vector<const Spec*>& specs,
                                                              const WorkerOptions& options);
  // Asks a new process these questions in order, slowly and with its memory watched: what it did wrong with it, if that can be found
  // out. For explaining a failure; nothing is judged by it.
  virtual std::optional<Fault> examine(std::span<const Question> questions) = 0;
  virtual const Spec& spec() const = 0;
  // From now on it is called as `spec` says, by a process that was never called. False: what has been started cannot be.
  virtual bool call_as(const Spec& spec) = 0;
  // The last output_kb of what the submission printed, control characters stripped, invalid UTF-8 replaced.
  virtual std::string output_tail() const = 0;
  virtual Environment environment() const = 0;
};

}  // namespace attest
