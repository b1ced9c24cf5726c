// Maps the questions writable: in each of the ways that there are.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
bool attack() {
  if (mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0) != MAP_FAILED) return true;
  const int again = open("/proc/self/fd/3", O_RDWR);
  if (again >= 0 && mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0) != MAP_FAILED) return true;
  void* here = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, 3, 0);
  return mprotect(here, 4096, PROT_READ | PROT_WRITE) == 0;
}
