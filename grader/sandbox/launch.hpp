// What happens between fork and exec: a copy of this process puts itself behind its walls and becomes the program.
#pragma once

#include "grader/sandbox/sandbox.hpp"

#include <linux/filter.h>

#include <string>
#include <vector>

namespace attest {

// Everything is prepared before the fork; in the child only system calls are made on memory that is there, for another thread
// may have held the allocator's lock at the fork.
class Launch {
 public:
  // `report`: what could not be done is written there, as errno. Throws std::system_error.
  Launch(const Policy& policy, int report);

  // In the child. Does not return.
  [[noreturn]] void become_program();
  // In the child: behind the same walls, without becoming anybody.
  void put_up_walls();
  [[noreturn]] void give_up() const;

  int report() const { return report_; }  // changes its number in put_up_walls()
  pid_t parent() const { return parent_; }

 private:
  void arrange_descriptors();
  void limit(int what, std::size_t soft, std::size_t hard) const;
  void set_limits() const;
  void become_user() const;

  const Policy& policy_;
  std::vector<char*> argv_, environment_;
  std::string folder_;
  Descriptor null_, program_, rules_;
  std::vector<sock_filter> filter_;
  int report_;
  pid_t parent_;
};

}  // namespace attest
