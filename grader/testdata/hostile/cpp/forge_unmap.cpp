// Unmaps everything that is shared under the program that calls it.
#include <sys/mman.h>
#include <cstdio>
bool attack() {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return false;
  unsigned long from, to;
  char rights[5], line[4096];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3 && rights[3] == 's')
      munmap(reinterpret_cast<void*>(from), to - from);
  }
  return false;
}
