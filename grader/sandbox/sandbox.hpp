// Runs a program that nobody trusts: its own session, limits, an empty folder of its own, nothing inherited but the descriptors
// that it is given, and the kernel's walls around it (walls.hpp).
#pragma once

#include "grader/sandbox/descriptor.hpp"
#include "grader/sandbox/folder.hpp"
#include "grader/sandbox/landlock.hpp"
#include "grader/sandbox/seccomp.hpp"
#include "grader/sandbox/walls.hpp"

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attest {

struct Policy {
  std::vector<std::string> argv;         // argv[0] is the path of the program
  std::vector<std::string> environment;  // "NAME=value"; see clean_environment()
  std::vector<std::pair<int, int>>
      descriptors;                     // {here, in the child}; 0, 1, 2 become /dev/null when not named
  std::filesystem::path folder;        // working folder
  double cpu_s = 0;                    // of the process; 0: no limit. A backstop: times are judged elsewhere
  std::size_t memory_bytes = 0;        // address space; 0: no limit
  std::size_t file_bytes = 16u << 20;  // of each file that it writes
  std::size_t open_files = 64;
  Walls walls;                // of these, user_id by `user`
  Role role = Role::program;  // for seccomp
  Reach reach;                // for Landlock, beside `folder`, which it may write
  std::optional<uid_t> user;  // it becomes this one, and `folder` its own
};

// PATH, a C locale, HOME and TMPDIR in `folder`, one thread for every BLAS. Nothing of the caller's environment.
std::vector<std::string> clean_environment(const std::filesystem::path& folder);

// How a process ended.
struct Exit {
  int status = 0;  // exit status, when signal is 0
  int signal = 0;
  double cpu_s = 0;
};

// Of a status as waitpid() gives it.
Exit exit_of(int status, double cpu_s);

class Zygote;

class Child {
 public:
  Child() = default;
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  // kills and reaps

  int pidfd() const {
    return pidfd_.get();
  }                      // readable once the process has ended; -1 where the kernel has none
  bool ended() const;    // does not wait
  double cpu_s() const;  // used so far, all threads
  void kill();           // the whole process group
  Exit wait();           // until it has ended; ends what is left of its group

 private:
  friend Child spawn(const Policy& policy);
  friend class Zygote;
  pid_t pid_ = -1;
  Descriptor pidfd_;
  Zygote* parent_ = nullptr;  // null: it is this process's own child
  mutable std::optional<Exit> exit_;
};

// Throws std::system_error when the program cannot be started. Call it from the thread that goes on using the child: the
// child is killed when that thread ends.
Child spawn(const Policy& policy);

}  // namespace attest
