// Ctrl-C is heard whatever the grader waits for, and everything is cleared away on the way out.
#include "grader/sandbox/folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace attest {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Ended {
  int status = -1;
  double waited_s = 0;
};

// Grades a file, is interrupted after a second; how it ended, and how long that took.
Ended interrupt(const fs::path& file, const fs::path& temporary, int signal) {
  const pid_t grader = fork();
  if (grader == 0) {
    setenv("TMPDIR", temporary.c_str(), 1);
    execl(ATTEST_PROGRAM, ATTEST_PROGRAM, "grade", "--out", "/dev/null", file.c_str(), nullptr);
    _exit(127);
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(grader, signal);
  const Clock::time_point start = Clock::now();
  int status = 0;
  waitpid(grader, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          std::chrono::duration<double>(Clock::now() - start).count()};
}

struct Waiting {
  const char *name, *text;
};
const Waiting kWaiting[] = {
    {"call.py",
     "import time\ndef causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):\n    time.sleep(1e9)\n"},
    {"load.py", "import time\ntime.sleep(1e9)\n"},
    {"spin.py", "while True: pass\n"},
    {"compile.cpp",
     "template <int n, class T> struct S { S<n - 1, T> a; S<n - 1, T*> b; };\n"
     "template <class T> struct S<0, T> {};\n"
     "S<40, int> s;\n"}};

TEST(Interrupt, IsHeardWhileSomethingIsWaitedFor) {
  for (const Waiting& waiting : kWaiting) {
    const PrivateFolder folder;
    const fs::path temporary = folder.path() / "tmp";
    fs::create_directory(temporary);
    fs::permissions(folder.path(), fs::perms(0755));
    fs::permissions(temporary, fs::perms(0777));
    std::ofstream(folder.path() / waiting.name) << waiting.text;
    const Ended ended = interrupt(folder.path() / waiting.name, temporary, SIGTERM);
    EXPECT_EQ(ended.status, 130) << waiting.name;
    EXPECT_LT(ended.waited_s, 8) << waiting.name;  // the limits that would end it are 10 s and more
    EXPECT_TRUE(fs::is_empty(temporary)) << waiting.name << " left " << *fs::directory_iterator(temporary);
  }
}

}  // namespace
}  // namespace attest
