#include "grader/sandbox/launch.hpp"

#include "grader/sandbox/landlock.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>

namespace attest {
namespace {

constexpr int kFirstFree =
    64;  // the child parks its descriptors from here on while 0 ... 63 are put in order
constexpr long kRestrictSelf = 446;  // landlock_restrict_self(2)

// For libraries that start threads without asking; counted for all processes of a user id.
constexpr std::size_t kMostThreads = 256;

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

[[noreturn]] void cannot(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Launch::Launch(const Policy& policy, int report)
    : policy_(policy),
      argv_(pointers(policy.argv)),
      environment_(pointers(policy.environment)),
      folder_(policy.folder.string()),
      null_(open("/dev/null", O_RDWR | O_CLOEXEC)),
      report_(report),
      parent_(getpid()) {
  if (!null_) cannot("/dev/null");
  if (policy.walls.landlock) rules_ = landlock_rules(policy.reach, policy.folder);
  if (policy.walls.seccomp) filter_ = system_calls(policy.role);
  if (policy.user) {
    if (chown(folder_.c_str(), *policy.user, *policy.user) != 0) cannot(folder_);
    // The program may lie where that user cannot go.
    if (!policy.argv.empty()) program_ = Descriptor(open(argv_[0], O_PATH | O_CLOEXEC));
  }
}

void Launch::give_up() const {
  const int error = errno;
  (void)!write(report_, &error, sizeof error);
  _exit(127);
}

void Launch::limit(int what, std::size_t soft, std::size_t hard) const {
  rlimit callers{};  // which may be lower, and is not ours to raise
  if (getrlimit(static_cast<__rlimit_resource_t>(what), &callers) != 0) give_up();
  const rlimit value{std::min<rlim_t>(soft, callers.rlim_max), std::min<rlim_t>(hard, callers.rlim_max)};
  if (setrlimit(static_cast<__rlimit_resource_t>(what), &value) != 0) give_up();
}

void Launch::arrange_descriptors() {
  report_ = fcntl(report_, F_DUPFD_CLOEXEC, kFirstFree);
  const auto park = [](const Descriptor& fd) {
    return fd ? fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstFree) : -1;
  };
  int parked[32];
  std::size_t n = 0;
  for (const auto& [here, there] : policy_.descriptors) {
    if (n == 29) _exit(126);
    parked[n++] = fcntl(here, F_DUPFD_CLOEXEC, kFirstFree);
  }
  const int quiet = park(null_), program = park(program_), rules = park(rules_);
  for (int fd = 0; fd < 3; ++fd) {
    if (dup2(quiet, fd) < 0) give_up();
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (parked[i] < 0 || dup2(parked[i], policy_.descriptors[i].second) < 0) give_up();
  }
  // Everything else dies at exec, whatever its owner forgot.
  for (int fd = 3; fd < kFirstFree; ++fd) {
    bool wanted = false;
    for (const auto& [here, there] : policy_.descriptors) wanted = wanted || there == fd;
    if (!wanted) close(fd);
  }
  if (syscall(SYS_close_range, kFirstFree, ~0u, 4 /* CLOSE_RANGE_CLOEXEC */) != 0) {
    for (int fd = kFirstFree; fd < 4096; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  program_ = Descriptor(program);
  rules_ = Descriptor(rules);
}

void Launch::set_limits() const {
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_NOFILE, policy_.open_files, policy_.open_files);
  limit(RLIMIT_FSIZE, policy_.file_bytes, policy_.file_bytes);
  limit(RLIMIT_MSGQUEUE, 0, 0);
  if (policy_.memory_bytes > 0) limit(RLIMIT_AS, policy_.memory_bytes, policy_.memory_bytes);
  if (policy_.user) limit(RLIMIT_NPROC, kMostThreads, kMostThreads);
  if (policy_.cpu_s > 0) {
    const auto seconds = static_cast<std::size_t>(std::ceil(policy_.cpu_s));
    limit(RLIMIT_CPU, seconds, seconds + 1);
  }
}

void Launch::become_user() const {
  if (!policy_.user) return;
  const uid_t id = *policy_.user;
  // By number: the library's wrappers want to tell other threads, of which this copy has none.
  if (syscall(SYS_setgroups, 0, nullptr) != 0 || syscall(SYS_setresgid, id, id, id) != 0 ||
      syscall(SYS_setresuid, id, id, id) != 0)
    give_up();
}

void Launch::put_up_walls() {
  arrange_descriptors();
  setsid();
  if (chdir(folder_.c_str()) != 0) give_up();
  set_limits();
  become_user();
  prctl(PR_SET_PDEATHSIG, SIGKILL);      // becoming another user takes it back
  if (getppid() != parent_) _exit(127);  // it was gone before the line above
  for (int s = 1; s < NSIG; ++s) signal(s, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up();
  if (rules_ && syscall(kRestrictSelf, rules_.get(), 0u) != 0) give_up();
  if (!filter_.empty()) {
    for (sock_filter& line : filter_) {
      if (line.k == kOwnProcess) line.k = static_cast<std::uint32_t>(getpid());
    }
    const sock_fprog program{static_cast<unsigned short>(filter_.size()), filter_.data()};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) give_up();
  }
}

void Launch::become_program() {
  put_up_walls();
  if (program_)
    syscall(SYS_execveat, program_.get(), "", argv_.data(), environment_.data(), AT_EMPTY_PATH);
  else
    execve(argv_[0], argv_.data(), environment_.data());
  give_up();
}

}  // namespace attest
