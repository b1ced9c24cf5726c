#include "grader/sandbox/sandbox.hpp"

#include "grader/sandbox/launch.hpp"
#include "grader/sandbox/zygote.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <system_error>

namespace attest {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Pipe Pipe::make() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) fail("pipe");
  Pipe made;
  made.read = Descriptor(fds[0]);
  made.write = Descriptor(fds[1]);
  return made;
}

std::vector<std::string> clean_environment(const std::filesystem::path& folder) {
  const char* path = std::getenv("PATH");
  return {
      std::string("PATH=") + (path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin"), "LANG=C.UTF-8",
      "LC_ALL=C.UTF-8", "HOME=" + folder.string(), "TMPDIR=" + folder.string(),
      // One thread: reproducible sums, honest CPU times, and no idle threads that spin beside other submissions.
      "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "BLIS_NUM_THREADS=1", "OMP_NUM_THREADS=1",
      "VECLIB_MAXIMUM_THREADS=1"};
}

Exit exit_of(int status, double cpu_s) {
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0, cpu_s};
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      parent_(other.parent_),
      exit_(std::move(other.exit_)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pidfd_, other.pidfd_);
  std::swap(parent_, other.parent_);
  std::swap(exit_, other.exit_);
  return *this;
}

Child::~Child() {
  if (pid_ <= 0 || exit_) return;
  kill();
  wait();
}

bool Child::ended() const {
  if (exit_ || pid_ <= 0) return true;
  if (pidfd_) {
    pollfd waiting{pidfd_.get(), POLLIN, 0};
    return poll(&waiting, 1, 0) == 1;
  }
  if (parent_ != nullptr) {
    exit_ = parent_->wait(pid_, false);
    return exit_.has_value();
  }
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}

double Child::cpu_s() const {
  if (exit_) return exit_->cpu_s;
  clockid_t clock;
  timespec used{};
  if (pid_ <= 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

void Child::kill() {
  if (pid_ <= 0 || exit_) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
}

Exit Child::wait() {
  if (exit_ || pid_ <= 0) return exit_.value_or(Exit{});
  if (parent_ != nullptr) {
    // Not reaped by its parent before it is asked to: until then the group's number cannot be anybody else's.
    if (pidfd_) {
      pollfd waiting{pidfd_.get(), POLLIN, 0};
      while (poll(&waiting, 1, -1) < 0 && errno == EINTR) {
      }
      ::kill(-pid_, SIGKILL);
    }
    exit_ = parent_->wait(pid_, true);
    pidfd_.reset();
    return *exit_;
  }
  int status = 0;
  rusage usage{};
  pid_t got;
  // What it has started and left behind goes too, while its process id (and so the group's) cannot be anybody else's.
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  ::kill(-pid_, SIGKILL);
  do got = wait4(pid_, &status, 0, &usage);
  while (got < 0 && errno == EINTR);
  Exit exit;
  if (got == pid_) {
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    exit = exit_of(status, seconds(usage.ru_utime) + seconds(usage.ru_stime));
  }
  pidfd_.reset();
  exit_ = exit;
  return exit;
}

Child spawn(const Policy& policy) {
  Pipe report = Pipe::make();
  Launch launch(policy, report.write.get());
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) launch.become_program();

  Child child;
  child.pid_ = pid;
  child.pidfd_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  report.write.reset();
  int error = 0;
  ssize_t got;
  do got = read(report.read.get(), &error, sizeof error);
  while (got < 0 && errno == EINTR);
  if (got == sizeof error) {
    child.wait();
    errno = error;
    fail("cannot start " + (policy.argv.empty() ? std::string("a program without a name") : policy.argv[0]));
  }
  return child;
}

}  // namespace attest
