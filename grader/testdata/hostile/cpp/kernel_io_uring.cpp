// io_uring: system calls that no filter of system calls sees.
#include <sys/syscall.h>
#include <unistd.h>
bool attack() {
  char parameters[120] = {};
  return syscall(425 /* io_uring_setup */, 4, parameters) >= 0;
}
