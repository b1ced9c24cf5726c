// Types into the terminal that the grader was started from.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
bool attack() {
  const int terminal = open("/dev/tty", O_RDWR);
  char letter = '\n';
  for (const int fd : {0, 1, 2, terminal}) {
    if (ioctl(fd, TIOCSTI, &letter) == 0) return true;
  }
  return terminal >= 0;
}
