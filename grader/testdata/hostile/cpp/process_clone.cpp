// Processes by the system calls behind fork: clone, clone3, vfork.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>
#include <cstdint>
bool attack() {
  std::uint64_t arguments[11] = {};
  arguments[4] = SIGCHLD;
  long child = syscall(SYS_clone3, arguments, sizeof arguments);
  if (child < 0) child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child < 0) child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) {
    setsid();
    sleep(600);
    _exit(0);
  }
  return child > 0;
}
