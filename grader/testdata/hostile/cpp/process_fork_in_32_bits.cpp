// Forks by the system calls of another architecture, which a filter may have forgotten.
#include <unistd.h>
bool attack() {
  long child = 2;  // fork, for 32 bits
  __asm__ volatile("int $0x80" : "+a"(child) : : "memory", "r8", "r9", "r10", "r11");
  if (child == 0) {
    sleep(600);
    _exit(0);
  }
  return child > 0;
}
