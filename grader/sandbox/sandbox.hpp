// Runs a program that nobody trusts: its own session, limits, an empty folder of its own, and nothing inherited but the
// descriptors that it is given.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attest {

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read, write;
  static Pipe make();  // close-on-exec both; throws std::system_error
};

// A new empty folder, readable by its owner only, removed with all that is in it.
class PrivateFolder {
 public:
  PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

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

// The walls that stand around every child, by name.
std::vector<std::string> walls();

}  // namespace attest
