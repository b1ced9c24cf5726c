#include "grader/sandbox/output.hpp"

#include "grader/sandbox/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <vector>

namespace attest {

Output::Output(std::size_t limit, Keep keep) : pipe_(Pipe::make()), limit_(limit), keep_(keep) {
  // Only our end: the flag belongs to the open file, and the child's end is another one.
  fcntl(pipe_.read.get(), F_SETFL, O_NONBLOCK);
}

void Output::drain() {
  char buffer[1 << 16];
  // A flood is read in portions, so that the caller gets to look at its clocks.
  for (int portion = 0; portion < 16 && pipe_.read; ++portion) {
    const ssize_t got = read(pipe_.read.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return;
    if (got == 0) {
      pipe_.read.reset();
      return;
    }
    const auto n = static_cast<std::size_t>(got);
    if (keep_ == Keep::head) {
      const std::size_t room = std::min(n, limit_ - std::min(limit_, kept_.size()));
      kept_.append(buffer, room);
      left_out_ += n - room;
    } else {
      kept_.append(buffer, n);
      if (kept_.size() > 2 * limit_) {  // in big steps: erasing at the front moves the rest
        left_out_ += kept_.size() - limit_;
        kept_.erase(0, kept_.size() - limit_);
      }
    }
  }
}

Finished run_to_end(Policy policy, double wall_s, std::size_t output_limit) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(wall_s);
  Output output(output_limit, Output::Keep::head);
  policy.descriptors.push_back({output.child_end(), 1});
  policy.descriptors.push_back({output.child_end(), 2});
  Child child = spawn(policy);
  output.child_started();
  Finished finished;
  while (!child.ended()) {
    stop_if_interrupted();
    pollfd waiting[2] = {{child.pidfd(), POLLIN, 0}, {output.descriptor(), POLLIN, 0}};
    poll(waiting, 2, child.pidfd() >= 0 ? 100 : 10);
    output.drain();
    if (Clock::now() > deadline) {
      finished.timed_out = true;
      child.kill();
      break;
    }
  }
  finished.exit = child.wait();
  output.drain();
  finished.output = output.text();
  return finished;
}

}  // namespace attest
