#include "grader/sandbox/sandbox.hpp"

#include "grader/sandbox/zygote.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <system_error>

namespace attest {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

constexpr int kFirstFree =
    64;  // the child parks its descriptors from here on while 0 ... 63 are put in order

// What happens between fork and exec. Only system calls on memory that was prepared before: another thread may have held
// the allocator's lock at the fork.
struct Launch {
  const Policy& policy;
  std::vector<char*> argv, environment;
  std::string folder;
  int null, report;
  pid_t parent;

  [[noreturn]] void give_up() const {
    const int error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(127);
  }

  void limit(__rlimit_resource_t what, rlim_t soft, rlim_t hard) const {
    const rlimit value{soft, hard};
    if (setrlimit(what, &value) != 0) give_up();
  }

  void arrange_descriptors() {
    report = fcntl(report, F_DUPFD_CLOEXEC, kFirstFree);
    int parked[32];
    std::size_t n = 0;
    for (const auto& [here, there] : policy.descriptors) {
      if (n == 29) _exit(126);
      parked[n++] = fcntl(here, F_DUPFD_CLOEXEC, kFirstFree);
    }
    const int quiet = fcntl(null, F_DUPFD_CLOEXEC, kFirstFree);
    for (int fd = 0; fd < 3; ++fd) {
      if (dup2(quiet, fd) < 0) give_up();
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (parked[i] < 0 || dup2(parked[i], policy.descriptors[i].second) < 0) give_up();
    }
    // Everything else dies at exec, whatever its owner forgot.
    for (int fd = 3; fd < kFirstFree; ++fd) {
      bool wanted = false;
      for (const auto& [here, there] : policy.descriptors) wanted = wanted || there == fd;
      if (!wanted) close(fd);
    }
    if (syscall(SYS_close_range, kFirstFree, ~0u, 4 /* CLOSE_RANGE_CLOEXEC */) != 0) {
      for (int fd = kFirstFree; fd < 4096; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
  }

  void set_limits() const {
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_NOFILE, policy.open_files, policy.open_files);
    limit(RLIMIT_FSIZE, policy.file_bytes, policy.file_bytes);
    if (policy.memory_bytes > 0) limit(RLIMIT_AS, policy.memory_bytes, policy.memory_bytes);
    if (policy.cpu_s > 0) {
      const auto seconds = static_cast<rlim_t>(std::ceil(policy.cpu_s));
      limit(RLIMIT_CPU, seconds, seconds + 1);
    }
  }

  [[noreturn]] void run() {
    arrange_descriptors();
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // it was gone before the line above
    if (chdir(folder.c_str()) != 0) give_up();
    for (int s = 1; s < NSIG; ++s) signal(s, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    set_limits();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up();
    // Further walls (a user id of its own, Landlock, seccomp) belong here, after everything that they would forbid, and
    // their names in walls().
    execve(argv[0], argv.data(), environment.data());
    give_up();
  }
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
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

PrivateFolder::PrivateFolder() {
  std::error_code error;
  std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) base = "/tmp";
  std::string name = (base / "attest-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail("cannot make a temporary folder in " + base.string());
  path_ = name;
}

PrivateFolder::~PrivateFolder() {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::remove_all(path_, error);
  if (!error) return;
  // A folder whose permissions the submission has taken away can be removed once they are back.
  std::error_code ignored;
  fs::permissions(path_, fs::perms::owner_all, ignored);
  for (fs::recursive_directory_iterator it(path_, fs::directory_options::skip_permission_denied, ignored),
       end;
       it != end; it.increment(ignored)) {
    if (!ignored && fs::is_directory(it->symlink_status(ignored))) {
      fs::permissions(it->path(), fs::perms::owner_all, ignored);
    }
  }
  fs::remove_all(path_, error);
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
  const Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) fail("/dev/null");
  Launch launch{policy,
                pointers(policy.argv),
                pointers(policy.environment),
                policy.folder.string(),
                null.get(),
                report.write.get(),
                getpid()};
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) launch.run();

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

std::vector<std::string> walls() {
  return {"rlimits",        "process-group",     "no-new-privs",
          "private-folder", "clean-environment", "closed-descriptors"};
}

}  // namespace attest
