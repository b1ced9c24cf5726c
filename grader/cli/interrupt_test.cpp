// Ctrl-C is heard whatever the grader waits for, and everything is cleared away on the way out.
#include "grader/sandbox/folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace attest {
namespace {

namespace fs = std::filesystem;

// `attest grade --jobs N --out report FILES` as a process of its own, with a folder for its temporary files.
class Grading {
 public:
  explicit Grading(const std::vector<std::pair<std::string, std::string>>& files, std::string jobs = "1") {
    fs::create_directory(temporary_);
    fs::permissions(folder_.path(), fs::perms(0755));
    fs::permissions(temporary_, fs::perms(0777));
    std::vector<std::string> words = {ATTEST_PROGRAM,  "grade", "--jobs",
                                      std::move(jobs), "--out", report_.string()};
    for (const auto& [name, text] : files) {
      words.push_back((folder_.path() / name).string());
      std::ofstream(words.back()) << text;
    }
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    setenv("TMPDIR", temporary_.c_str(), 1);
    execv(ATTEST_PROGRAM, argv.data());
    _exit(127);
  }
  ~Grading() {
    if (pid_ > 0) end(SIGKILL);
  }

  // Its exit status, -1 where it has none.
  int end(int signal) {
    kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string report() const {
    std::ifstream file(report_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool left_nothing() const { return fs::is_empty(temporary_); }

 private:
  const PrivateFolder folder_;
  const fs::path temporary_ = folder_.path() / "tmp", report_ = folder_.path() / "report";
  pid_t pid_ = -1;
};

const std::pair<std::string, std::string> kWaiting[] = {
    {"call.py",
     "import time\ndef causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):\n    time.sleep(1e9)\n"},
    {"later.py",  // while more questions are on their way
     "import time\ncalls = 0\ndef causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):\n    global "
     "calls\n"
     "    calls += 1\n    if calls > 100:\n        time.sleep(1e9)\n    return x * 0\n"},
    {"load.py", "import time\ntime.sleep(1e9)\n"},
    {"spin.py", "while True: pass\n"},
    {"compile.cpp",
     "template <int n, class T> struct S { S<n - 1, T> a; S<n - 1, T*> b; };\n"
     "template <class T> struct S<0, T> {};\n"
     "S<40, int> s;\n"}};

TEST(Interrupt, IsHeardWhileSomethingIsWaitedFor) {
  for (const auto& [name, text] : kWaiting) {
    Grading grading({{name, text}});
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(grading.end(SIGTERM), 130) << name;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 8) << name;  // the limits that would end it are 10 s and more
    EXPECT_TRUE(grading.left_nothing()) << name;
  }
}

// Also where one file at a time is judged.
TEST(Interrupt, LeavesTheReportsThatAreThere) {
  Grading grading({{"first.py", "def f(:\n"}, kWaiting[0]});
  for (int i = 0; i < 200 && grading.report().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(grading.end(SIGINT), 130);
  EXPECT_NE(grading.report().find("first.py"), std::string::npos) << grading.report();
}

// Those behind a file that is still at work, too. A terminal that is closed is an interrupt like others.
TEST(Interrupt, LeavesTheReportsOfLaterFiles) {
  Grading grading({kWaiting[0], {"second.py", "def f(:\n"}, {"third.py", "def f(:\n"}}, "2");
  std::this_thread::sleep_for(std::chrono::seconds(3));
  EXPECT_EQ(grading.report(), "");
  EXPECT_EQ(grading.end(SIGHUP), 130);
  EXPECT_NE(grading.report().find("second.py"), std::string::npos) << grading.report();
  EXPECT_NE(grading.report().find("third.py"), std::string::npos) << grading.report();
  EXPECT_TRUE(grading.left_nothing());
}

}  // namespace
}  // namespace attest
