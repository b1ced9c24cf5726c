// A program that is loaded once and then forks for each process that is wanted of it: what takes long (an interpreter, NumPy) is
// done by then, and nothing untrusted has run in it yet. Limits are those of its policy; the policy's walls are for its children, each of
// which has a folder of its own to write to.
//
// It is spoken to over a socket, descriptor 3 in the program, one datagram (SOCK_SEQPACKET) a message, numbers in native order:
//   'F' n, n numbers, uint32 user, uint32 bytes, filter, folder
//                                  fork; the first n descriptors that come with it become those numbers (one byte each) in the child,
//                                  `folder` its working folder. Before it looks at the submission it puts itself behind the walls:
//                                  becomes `user` (2^32 - 1: stays), restricts itself by the rules of Landlock (one descriptor more,
//                                  where there are any) and by the filter of system calls, whose kOwnProcess it makes its own
//                                  <- int64 the child's process id, which is its group's too; or minus errno
//   'W' int64 pid, int64 wait      has the child ended? `wait` 1: not before it has
//                                  <- int64 1 or 0, int64 status as of waitpid(), double seconds of CPU time
#pragma once

#include "grader/sandbox/sandbox.hpp"

#include <span>

namespace attest {

class Zygote {
 public:
  // Starts the program; `policy.descriptors`, folder and environment are set here. Throws std::system_error.
  explicit Zygote(Policy policy);
  // A new process that gets the descriptors as in Policy. The zygote must outlive it. Throws std::system_error, also when the program
  // has ended.
  Child fork(std::span<const std::pair<int, int>> descriptors, const std::filesystem::path& folder);

 private:
  friend class Child;
  // nullopt: it still runs. A zygote that has ended knows no more than that its children have too.
  std::optional<Exit> wait(pid_t pid, bool until_it_ends);

  Policy policy_;
  PrivateFolder folder_;
  Descriptor socket_;
  Child program_;
};

}  // namespace attest
