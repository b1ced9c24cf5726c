// Kills the grader, which is its parent.
#include <csignal>
#include <unistd.h>
bool attack() { return kill(getppid(), SIGKILL) == 0; }
