// The walls, seen from inside: what is refused behind each of them, and that it is that one which refuses it.
#include "grader/sandbox/sandbox.hpp"

#include "grader/worker/testing.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace attest {
namespace {

using testing::ask;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::question;
using testing::running;
using testing::start;
using testing::submission;

WorkerOptions behind(const IsolationWish& wish) {
  WorkerOptions options;
  options.limits.isolation = wish;
  return options;
}

// Whether a submission gets away with this, in Python.
bool is_possible(const std::string& attempt, const IsolationWish& wish) {
  const auto worker = running(start(submission("a.py",
                                               "import os, socket, ctypes\n"
                                               "def scale(x, n):\n"
                                               "    " +
                                                   attempt +
                                                   "\n"
                                                   "    return x\n"),
                                    behind(wish)));
  return ask(*worker, question(1)).outcome == Outcome::passed;
}

IsolationWish without(Walls walls) {
  IsolationWish wish;
  wish.without = walls;
  return wish;
}

class Walled : public ::testing::Test {
 protected:
  void SetUp() override {
    if (level_of({}) != "strict")
      GTEST_SKIP() << "not every wall stands here: " << ::testing::PrintToString(walls_here().missing);
  }
};

TEST_F(Walled, WhatTheCanaryTriedIsRefused) {
  EXPECT_THAT(walls_here().allowed, IsEmpty());
  EXPECT_THAT(walls_here().missing, IsEmpty());
  EXPECT_THAT(walls_here().refused, Contains("reading /etc/passwd"));
}

TEST_F(Walled, LandlockKeepsFilesOutOfReach) {
  for (const char* attempt : {"open('/etc/passwd')", "os.listdir('/proc')", "os.listdir('/tmp')",
                              "open('" ATTEST_SOURCE_FOLDER "/exercises/05-multi-head/solution.py')"}) {
    EXPECT_FALSE(is_possible(attempt, {})) << attempt;
    EXPECT_TRUE(is_possible(attempt, without({true, false, true}))) << attempt;
  }
  EXPECT_FALSE(is_possible("open('/dev/shm/attest', 'w')", {}));
  EXPECT_TRUE(is_possible("open('mine', 'w').write('in its own folder')", {}));
}

TEST_F(Walled, SeccompKeepsToItself) {
  for (const std::string attempt :
       {"socket.socket()", "os.fork() or os._exit(0)",
        "os.setsid() if os.getpid() != os.getpgrp() else os.setpgid(0, os.getppid())",
        "os.kill(os.getppid(), 0)", "os.memfd_create('x')", "os.chmod('.', 0o700)",
        "os.utime('.', (0, 0))"}) {
    EXPECT_FALSE(is_possible(attempt, {})) << attempt;
  }
  EXPECT_TRUE(is_possible("socket.socket()", without({false, true, false})));
  EXPECT_TRUE(is_possible("os.fork() or os._exit(0)", without({false, true, false})));
  EXPECT_TRUE(is_possible("os.kill(os.getpid(), 0)", {}));
  // A disk that is full before anybody looks: space that is asked for, and not written.
  EXPECT_FALSE(is_possible("os.posix_fallocate(os.open('f', os.O_CREAT | os.O_RDWR), 0, 1 << 20)", {}));
  EXPECT_TRUE(is_possible("import threading; t = threading.Thread(target=print); t.start(); t.join()", {}));
}

TEST_F(Walled, RootIsNobodyInside) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  EXPECT_FALSE(is_possible("assert os.getuid() == 0", {}));
  EXPECT_FALSE(is_possible("os.setuid(0)", {}));
  EXPECT_TRUE(is_possible("assert os.getuid() == 0", without({false, false, true})));
}

TEST_F(Walled, AProgramAndItsCompilerSeeNoneOfOurFiles) {
  const std::string body = "attest::Matrix scale(const attest::Matrix& x, attest::Index) { return x; }\n";
  const auto refused = start(submission("a.cpp", "#include \"" + std::string(ATTEST_SOURCE_FOLDER) +
                                                     "/reference/attention.hpp\"\n" + body),
                             behind({}));
  ASSERT_TRUE(std::holds_alternative<Problem>(refused));
  EXPECT_EQ(std::get<Problem>(refused).outcome, Outcome::compile_error);
  const auto worker = running(start(
      submission("b.cpp",
                 "#include <fstream>\n#include <stdexcept>\n#include <unistd.h>\n"
                 "attest::Matrix scale(const attest::Matrix& x, attest::Index n) {\n"
                 "  if (n == 1 && !std::ifstream(\"/etc/passwd\")) throw std::runtime_error(\"refused\");\n"
                 "  if (n == 2 && fork() < 0) throw std::runtime_error(\"refused\");\n"
                 "  return x;\n}\n"),
      behind({})));
  EXPECT_THAT(ask(*worker, question(1)).fault.message, HasSubstr("refused"));
  EXPECT_THAT(ask(*worker, question(2)).fault.message, HasSubstr("refused"));
  EXPECT_EQ(ask(*worker, question(3)).outcome, Outcome::passed);
}

TEST(Sandbox, AFolderThatIsFilledEndsTheProcess) {
  const auto worker =
      running(start(submission("a.py",
                               "import time\n"
                               "def scale(x, n):\n"
                               "    for i in range(12): open(str(i), 'wb').write(bytes(8 << 20))\n"
                               "    time.sleep(3)\n"
                               "    return x\n")));
  const Reply reply = ask(*worker, question(1));
  EXPECT_EQ(reply.outcome, Outcome::rejected);
  EXPECT_THAT(reply.fault.message, HasSubstr("filled its folder"));
}

TEST(Sandbox, AFolderThatCannotBeListedIsTooFull) {
  if (geteuid() == 0) GTEST_SKIP() << "root lists every folder";
  const PrivateFolder folder;
  const auto hidden = folder.path() / "hidden";
  std::filesystem::create_directory(hidden);
  EXPECT_LT(bytes_in(folder.path(), 1 << 20), 1u << 20);
  std::filesystem::permissions(hidden,
                               std::filesystem::perms::owner_write | std::filesystem::perms::owner_exec);
  EXPECT_EQ(bytes_in(folder.path(), 1 << 20), 1u << 20);
  std::filesystem::permissions(hidden, std::filesystem::perms::owner_all);
}

// As root with its own number the walls are others than strict ones; who is not root has no number to give away.
TEST(Sandbox, StrictIsWithEveryWallThatCanStand) {
  IsolationWish wish;
  wish.strictness = Strictness::strict;
  if (level_of(wish) != "strict") GTEST_SKIP() << "not every wall stands here";
  wish.without.user_id = true;
  EXPECT_EQ(level_of(wish), geteuid() == 0 ? "best-effort" : "strict");
}

TEST(Sandbox, NoneIsAWishThatIsRecorded) {
  IsolationWish none;
  none.strictness = Strictness::none;
  EXPECT_EQ(level_of(none), "none");
  EXPECT_THAT(names_of(walls_for(none)), Not(Contains("landlock")));
  EXPECT_TRUE(is_possible("open('/etc/passwd')", none));
}

// Three thousand levels: more than there are descriptors, and longer than a path may be.
TEST(Folders, AreRemovedHoweverDeepAndLocked) {
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  const rlimit few{256, usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  std::filesystem::path path;
  {
    const PrivateFolder folder;
    path = folder.path();
    int at = open(path.c_str(), O_RDONLY | O_DIRECTORY);
    for (int level = 0; level < 3000; ++level) {
      ASSERT_EQ(mkdirat(at, "d", 0700), 0);
      const int next = openat(at, "d", O_RDONLY | O_DIRECTORY);
      ASSERT_GE(next, 0);
      close(openat(at, "file", O_WRONLY | O_CREAT, 0400));
      fchmod(at, 0);
      close(at);
      at = next;
    }
    close(at);
    std::filesystem::permissions(path, std::filesystem::perms::none);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  setrlimit(RLIMIT_NOFILE, &usual);
}

TEST(Folders, WhoseOwnerWasKilledAreSweptAndOthersAreNot) {
  const PrivateFolder place;  // so that no other grader's folders lie there
  ASSERT_EQ(setenv("TMPDIR", place.path().c_str(), 1), 0);
  const pid_t killed = fork();
  if (killed == 0) {
    const PrivateFolder* left = new PrivateFolder;
    std::ofstream(left->path() / "file") << "text";
    _exit(0);
  }
  waitpid(killed, nullptr, 0);
  {
    const PrivateFolder living;
    EXPECT_EQ(sweep_abandoned_folders(10), 0u);  // it might have been made a moment ago
    EXPECT_EQ(sweep_abandoned_folders(0), 1u);
    EXPECT_TRUE(std::filesystem::exists(living.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace attest
