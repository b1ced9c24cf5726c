// Enters the namespaces of the first process.
#include <fcntl.h>
#include <sched.h>
bool attack() {
  for (const char* name : {"/proc/1/ns/mnt", "/proc/1/ns/net", "/proc/1/ns/uts"}) {
    const int space = open(name, O_RDONLY);
    if (space >= 0 && setns(space, 0) == 0) return true;
  }
  return false;
}
