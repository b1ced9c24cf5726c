// Closes everything.
#include <unistd.h>
bool attack() {
  for (int fd = 0; fd < 256; ++fd) close(fd);
  return false;
}
