// Takes memory as files that have no name, which the limit on address space does not count.
#include <sys/mman.h>
#include <unistd.h>
bool attack() {
  static char block[1 << 20];
  for (int i = 0; i < 40; ++i) {
    const int file = memfd_create("hostile", 0);
    for (int k = 0; k < 15; ++k) {
      if (write(file, block, sizeof block) != sizeof block) return false;
    }
  }
  return true;
}
