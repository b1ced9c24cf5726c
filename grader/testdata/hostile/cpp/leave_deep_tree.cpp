// Folders twenty thousand deep, the last of them locked.
#include <sys/stat.h>
#include <unistd.h>
bool attack() {
  for (int i = 0; i < 20000; ++i) {
    if (mkdir("d", 0700) != 0 || chdir("d") != 0) break;
  }
  chmod(".", 0);
  return false;
}
