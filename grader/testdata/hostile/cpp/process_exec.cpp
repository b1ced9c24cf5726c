// Turns itself into a shell that leaves a file behind; from a file, and from memory.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
bool attack() {
  execl("/bin/sh", "sh", "-c", "echo x > /tmp/hostile-left", nullptr);
  char* none[] = {nullptr};
  const int self = open("/proc/self/exe", O_RDONLY);
  syscall(SYS_execveat, self, "", none, none, AT_EMPTY_PATH);
  return false;
}
