// One line on a terminal that says what is going on, erased at the end. Only for what takes longer than a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace attest {

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled) : enabled_(enabled) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { erase(); }

  // May be called from several threads; throws Interrupted once Ctrl-C was pressed.
  void report(const std::string& what, std::size_t done, std::size_t all);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = {};
  bool visible_ = false;
};

}  // namespace attest
