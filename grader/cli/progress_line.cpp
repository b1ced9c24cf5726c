#include "grader/cli/progress_line.hpp"

#include "grader/sandbox/terminal.hpp"
#include "grader/submission/text.hpp"

#include <fmt/format.h>

namespace attest {

void ProgressLine::report(const std::string& what, std::size_t done, std::size_t all) {
  stop_if_interrupted();
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::seconds(1) || now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  visible_ = true;
  fmt::print(stderr, "\r\x1b[K{}: {} of {} checks", printable_line(what, 60), done, all);
  std::fflush(stderr);
}

void ProgressLine::erase() {
  const std::lock_guard lock(mutex_);
  if (visible_) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace attest
