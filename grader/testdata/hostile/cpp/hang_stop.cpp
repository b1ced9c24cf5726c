// Stops itself, as ^Z would.
#include <csignal>
#include <unistd.h>
bool attack() {
  kill(getpid(), SIGSTOP);
  return false;
}
