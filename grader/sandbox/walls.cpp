#include "grader/sandbox/walls.hpp"

#include "grader/sandbox/launch.hpp"
#include "grader/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace attest {
namespace {

// What a child behind the walls tried. True: refused.
struct Tried {
  bool reading, writing, connecting, forking, signalling, tracing, own_user;

  bool holds_files() const { return reading && writing; }
  bool holds_calls() const { return connecting && forking && signalling && tracing; }
};

constexpr const char* kReadable = "/etc/passwd";  // by everybody, but for Landlock

// In the child. `outside` is a file that everybody may write but for Landlock.
Tried try_everything(const char* outside, pid_t grader, uid_t user) {
  const auto refused = [](long result) { return result < 0; };
  Tried tried{};
  tried.reading = refused(open(kReadable, O_RDONLY));
  tried.writing = refused(open(outside, O_WRONLY));
  tried.connecting = refused(socket(AF_INET, SOCK_STREAM, 0));
  const pid_t child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (child == 0) _exit(0);
  tried.forking = refused(child);
  tried.signalling = refused(kill(grader, 0));
  tried.tracing = refused(syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, grader, nullptr, nullptr));
  tried.own_user = getuid() == user && geteuid() == user;
  return tried;
}

// What became of a child behind these walls: nothing where it could not even get behind them.
std::optional<Tried> try_behind(const Walls& walls, std::string& problem) {
  try {
    const PrivateFolder folder, other;
    const std::string outside = (other.path() / "file").string();
    const Descriptor made(open(outside.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    chmod(other.path().c_str(), 0777);
    fchmod(made.get(), 0666);
    Policy policy;
    policy.folder = folder.path();
    policy.walls = walls;
    if (walls.user_id) policy.user = next_user();
    Pipe report = Pipe::make();
    Launch launch(policy, report.write.get());
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
      launch.put_up_walls();
      const Tried tried = try_everything(outside.c_str(), launch.parent(), policy.user.value_or(getuid()));
      (void)!write(launch.report(), &tried, sizeof tried);
      _exit(0);
    }
    report.write.reset();
    char answer[sizeof(Tried)] = {};
    const ssize_t got = read(report.read.get(), answer, sizeof answer);
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    if (got != sizeof answer) {
      int error = ENOSYS;
      if (got == sizeof error) std::memcpy(&error, answer, sizeof error);
      problem = std::strerror(error);
      return std::nullopt;
    }
    Tried tried;
    std::memcpy(&tried, answer, sizeof tried);
    return tried;
  } catch (const std::system_error& error) {
    problem = error.what();
    return std::nullopt;
  }
}

WallsHere try_out() {
  WallsHere found;
  std::string problem;
  const bool root = geteuid() == 0;
  auto all = try_behind({true, true, root}, problem);
  if (all && all->holds_files() && all->holds_calls() && all->own_user) {
    found.walls = {true, true, root};
  } else {  // one by one
    const auto missing = [&](const char* wall, const char* means) {
      found.missing.push_back(std::string(wall) + ": " + (problem.empty() ? "without effect here" : problem) +
                              "; " + means);
    };
    const auto holds = [&](const Walls& walls, auto claim) {
      problem.clear();
      const auto tried = try_behind(walls, problem);
      return tried && claim(*tried);
    };
    found.walls.landlock =
        holds({true, false, false}, [](const Tried& tried) { return tried.holds_files(); });
    if (!found.walls.landlock) missing("landlock", "a submission can read what the user can who grades");
    found.walls.seccomp = holds({false, true, false}, [](const Tried& tried) { return tried.holds_calls(); });
    if (!found.walls.seccomp) missing("seccomp", "a submission can start processes and use the network");
    found.walls.user_id =
        root && holds({false, false, true}, [](const Tried& tried) { return tried.own_user; });
    if (root && !found.walls.user_id) missing("user-id", "submissions run as root");
    all = try_behind(found.walls, problem);
  }
  const std::pair<bool Tried::*, const char*> trials[] = {
      {&Tried::reading, "reading /etc/passwd"},
      {&Tried::writing, "writing to a file outside its folder"},
      {&Tried::connecting, "a socket"},
      {&Tried::forking, "a process of its own"},
      {&Tried::signalling, "a signal to the grader"},
      {&Tried::tracing, "tracing the grader"}};
  for (const auto& [what, name] : trials)
    (all && (*all).*what ? found.refused : found.allowed).push_back(name);
  return found;
}

Walls operator-(Walls all, const Walls& some) {
  if (some.landlock) all.landlock = false;
  if (some.seccomp) all.seccomp = false;
  if (some.user_id) all.user_id = false;
  return all;
}

}  // namespace

const WallsHere& walls_here() {
  static const WallsHere found = try_out();
  return found;
}

Walls walls_for(const IsolationWish& wish) {
  if (wish.strictness == Strictness::none) return {};
  return walls_here().walls - wish.without;
}

std::string_view level_of(const IsolationWish& wish) {
  const Walls walls = walls_for(wish);
  const bool own_user = walls.user_id || geteuid() != 0;  // who is not root has none to give away
  if (walls.landlock && walls.seccomp && own_user) return "strict";
  return wish.strictness == Strictness::none ? "none" : "best-effort";
}

std::vector<std::string> names_of(const Walls& walls) {
  std::vector<std::string> names;
  if (walls.seccomp) names.push_back("seccomp");
  if (walls.landlock) names.push_back("landlock");
  if (walls.user_id) names.push_back("user-id");
  for (const char* name : {"rlimits", "process-group", "no-new-privs", "private-folder", "clean-environment",
                           "closed-descriptors"})
    names.push_back(name);
  return names;
}

uid_t next_user() {
  static std::atomic<unsigned> number = 0;
  return kFirstUser + (static_cast<unsigned>(getpid()) * 61 + number++) % kUsers;
}

}  // namespace attest
