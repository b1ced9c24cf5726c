// Reads the grader's memory: it is the parent. Would gain: the expected values.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cstdio>
#include <string>
bool attack() {
  const std::string parent = "/proc/" + std::to_string(getppid());
  unsigned long from = 0x400000;
  if (std::FILE* maps = std::fopen((parent + "/maps").c_str(), "r")) (void)std::fscanf(maps, "%lx", &from);
  char text[8];
  const int memory = open((parent + "/mem").c_str(), O_RDONLY);
  if (memory >= 0 && pread(memory, text, sizeof text, static_cast<off_t>(from)) == 8) return true;
  iovec here{text, sizeof text}, there{reinterpret_cast<void*>(from), sizeof text};
  return process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 8;
}
