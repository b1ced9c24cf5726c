// Lets the kernel send the signal: as the owner of a file that somebody else becomes able to read.
#include <fcntl.h>
#include <csignal>
#include <unistd.h>
bool attack() {
  int ends[2];
  if (pipe(ends) != 0 || fcntl(ends[0], F_SETOWN, getppid()) != 0 || fcntl(ends[0], F_SETSIG, SIGKILL) != 0) return false;
  if (fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) != 0) return false;
  const bool sent = write(ends[1], "x", 1) == 1;
  usleep(100000);
  return sent && kill(getppid(), 0) != 0 && getppid() == 1;
}
