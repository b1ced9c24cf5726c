// Makes memory that is written and executed. Would gain little, since the program itself is the submission's: it may.
#include <sys/mman.h>
#include <cstring>
bool attack() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  std::memcpy(page, "\x31\xc0\xc3", 3);  // xor eax, eax; ret
  return reinterpret_cast<int (*)()>(page)() != 0;
}
