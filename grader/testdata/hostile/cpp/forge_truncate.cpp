// Makes the shared memory shorter, punches a hole into the questions, or adds to the seals.
#include <fcntl.h>
#include <unistd.h>
bool attack() {
  return ftruncate(4, 0) == 0 || ftruncate(3, 0) == 0 || fcntl(3, F_ADD_SEALS, 0) == 0 || fallocate(3, 3, 0, 4096) == 0;
}
