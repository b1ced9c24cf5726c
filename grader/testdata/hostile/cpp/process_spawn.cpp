// Runs another program beside itself.
#include <spawn.h>
#include <sys/wait.h>
bool attack() {
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  pid_t child = -1;
  int status = -1;
  return posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, nullptr) == 0 && waitpid(child, &status, 0) == child &&
         status == 0;
}
