// Sets the limits of its parent. Would gain: a grader that can open no file any more.
#include <sys/resource.h>
#include <unistd.h>
bool attack() {
  rlimit limit{};
  return prlimit(getppid(), RLIMIT_NOFILE, nullptr, &limit) == 0 && prlimit(getppid(), RLIMIT_NOFILE, &limit, nullptr) == 0;
}
