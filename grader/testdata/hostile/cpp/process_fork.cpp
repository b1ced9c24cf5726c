// A hundred processes in sessions of their own.
#include <unistd.h>
bool attack() {
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child < 0) return i > 0;
    if (child == 0) {
      setsid();
      sleep(600);
      _exit(0);
    }
  }
  return true;
}
