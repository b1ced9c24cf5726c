// Which system calls a process may make. Through libseccomp; x86-64, AArch64 and whatever else it knows.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace attest {

enum class Role {
  program,  // a submission: computes, and reads and writes files; starts nothing, signals nobody, talks to nobody
  compiler,  // may start programs, which stay in its process group
};

// The filter in the kernel's form; made once for each role. Throws std::system_error where this system cannot make one. The process id that may be
// signalled stands as kOwnProcess in it: a filter is made before the process that it is for.
const std::vector<sock_filter>& system_calls(Role role);
inline constexpr std::uint32_t kOwnProcess = 0x7A77E57A;

}  // namespace attest
