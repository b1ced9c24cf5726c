// Forks by the numbers that system calls have in the x32 architecture.
#include <sys/syscall.h>
#include <unistd.h>
bool attack() {
  const long child = syscall(0x40000000 | SYS_fork);
  if (child == 0) {
    sleep(600);
    _exit(0);
  }
  return child > 0;
}
