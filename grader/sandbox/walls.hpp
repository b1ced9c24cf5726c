// The kernel's walls around a process: what it may open (Landlock), which system calls it may make (seccomp), who it is (a user
// id of its own). Whether they stand is found out by a child that tries what they must refuse, never by asking for a version:
// containers and old kernels take calls that then do nothing.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace attest {

struct Walls {
  bool landlock = false;
  bool seccomp = false;
  bool user_id = false;
};

// What the user asks for. `without` takes walls away, for experiments.
enum class Strictness { strict, best_effort, none };
struct IsolationWish {
  Strictness strictness = Strictness::best_effort;
  Walls without;
};

// What stands on this machine, tried out once for each process of ours.
struct WallsHere {
  Walls walls;
  std::vector<std::string> missing;  // a sentence for each wall that does not stand
  std::vector<std::string> refused;  // what was tried behind them and refused: "a socket" ...
  std::vector<std::string> allowed;  // ... and what was not
};
const WallsHere& walls_here();

Walls walls_for(const IsolationWish& wish);

// "strict": files, network, other processes and the grader are out of reach. "best-effort": limits, and some of it. "none".
std::string_view level_of(const IsolationWish& wish);

// The walls around a submission by name, these and what spawn() always does.
std::vector<std::string> names_of(const Walls& walls);

// User ids that belong to nobody: where systemd takes its dynamic users from (systemd.exec(5), DynamicUser=).
inline constexpr uid_t kFirstUser = 61184;
inline constexpr uid_t kUsers = 4332;
uid_t next_user();  // not the same twice in a row of 4,332, nor as in another grader at the same time, most likely

}  // namespace attest
