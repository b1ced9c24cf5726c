// What a child prints, read without ever blocking it and kept within bounds.
#pragma once

#include "grader/sandbox/sandbox.hpp"

#include <cstddef>
#include <string>

namespace attest {

class Output {
 public:
  enum class Keep { head, tail };
  // Keeps the first or the last `limit` bytes; the rest is read and counted.
  explicit Output(std::size_t limit, Keep keep = Keep::tail);
  int child_end() const { return pipe_.write.get(); }  // becomes the child's 1 and 2
  void child_started() { pipe_.write.reset(); }
  int descriptor() const { return pipe_.read.get(); }  // to poll; -1 once everything has been read
  void drain();                                        // all that is there now; does not wait
  const std::string& text() const { return kept_; }
  std::size_t left_out() const { return left_out_; }

 private:
  Pipe pipe_;
  std::size_t limit_;
  Keep keep_;
  std::string kept_;
  std::size_t left_out_ = 0;
};

// Runs a program to its end and returns what it printed; throws Interrupted. For compilers and the like, not for submissions.
struct Finished {
  Exit exit;
  bool timed_out = false;
  std::string output;
};
Finished run_to_end(Policy policy, double wall_s, std::size_t output_limit = 256u << 10);

}  // namespace attest
