#include "grader/sandbox/folder.hpp"

#include "grader/sandbox/walls.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "attest-";
constexpr std::size_t kMostFiles = 10000;
constexpr int kMostLevelsDeep = 100;

fs::path folder_of_folders() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : base;
}

Descriptor open_folder(const fs::path& path) {
  return Descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// As root, submissions run as users of their own, who get their folder.
bool is_ours(uid_t owner) {
  return owner == geteuid() || (geteuid() == 0 && owner >= kFirstUser && owner < kFirstUser + kUsers);
}

using Entries = std::unique_ptr<DIR, int (*)(DIR*)>;

Entries entries_of(int parent, const char* name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = openat(parent, name, kFlags);
  if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, 0) == 0) fd = openat(parent, name, kFlags);
  if (fd >= 0) fchmod(fd, 0700);  // whoever may read may not yet remove
  DIR* entries = fd >= 0 ? fdopendir(fd) : nullptr;
  if (fd >= 0 && entries == nullptr) close(fd);
  return {entries, closedir};
}

// A compiler's second process outlives the first, when that is killed together with the grader.
void end_processes_in(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const pid_t pid = static_cast<pid_t>(std::atol(it->path().filename().c_str()));
    std::error_code gone;
    const std::string at = pid > 0 ? fs::read_symlink(it->path() / "cwd", gone).string() : "";
    if (at == folder.string() || at.starts_with(folder.string() + "/")) kill(pid, SIGKILL);
  }
}

// Removes what a submission has made, however deep: no path may name the last folder, and there may be fewer descriptors than levels. So
// what lies too deep is moved to the top, where the next round finds it.
class Remover {
 public:
  explicit Remover(const fs::path& path) : path_(path), top_(entries_of(AT_FDCWD, path.c_str())) {}

  void remove() {
    for (done_ = 1; done_ > 0 && rmdir(path_.c_str()) != 0 && top_;) {
      done_ = 0;
      rewinddir(top_.get());
      empty(top_.get(), 0);
    }
  }

 private:
  static constexpr int kMostLevels = 64;

  void empty(DIR* entries, int level) {
    const int folder = dirfd(entries);
    while (const dirent* entry = readdir(entries)) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (unlinkat(folder, name.c_str(), 0) == 0) {
        ++done_;
        continue;
      }
      const Entries inside = entries_of(folder, name.c_str());
      if (level == kMostLevels) {
        const std::string moved = "moved-" + std::to_string(moved_++);
        if (renameat(folder, name.c_str(), dirfd(top_.get()), moved.c_str()) == 0) ++done_;
        continue;
      }
      if (inside) empty(inside.get(), level + 1);
      if (unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0) ++done_;
    }
  }

  fs::path path_;
  Entries top_;
  std::size_t done_ = 0, moved_ = 0;
};

}  // namespace

PrivateFolder::PrivateFolder() {
  const fs::path base = folder_of_folders();
  std::string name = (base / (std::string(kPrefix) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::system_error(
        errno, std::generic_category(),
        "cannot make a temporary folder in " + base.string() + " (TMPDIR names another place for them)");
  }
  path_ = name;
  lock_ = open_folder(path_);
  if (lock_) flock(lock_.get(), LOCK_EX | LOCK_NB);
}

PrivateFolder::~PrivateFolder() { Remover(path_).remove(); }

std::size_t sweep_abandoned_folders(int least_age_s) {
  std::size_t swept = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder_of_folders(), error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.rfind(kPrefix, 0) != 0 || name.size() != std::string(kPrefix).size() + 6) continue;
    struct stat info {};
    const Descriptor folder = open_folder(it->path());
    if (!folder || fstat(folder.get(), &info) != 0 || !is_ours(info.st_uid)) continue;
    if (std::time(nullptr) - info.st_ctime < least_age_s) continue;
    if (flock(folder.get(), LOCK_EX | LOCK_NB) != 0) continue;
    end_processes_in(it->path());
    Remover(it->path()).remove();
    ++swept;
  }
  return swept;
}

std::size_t bytes_in(const fs::path& folder, std::size_t enough) {
  std::size_t bytes = 0, files = 0;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error), end;
  for (; !error && it != end; it.increment(error)) {
    struct stat info {};
    if (lstat(it->path().c_str(), &info) == 0) bytes += static_cast<std::size_t>(info.st_blocks) * 512;
    if (++files >= kMostFiles || it.depth() >= kMostLevelsDeep) return enough;
    if (bytes >= enough) break;
  }
  // What cannot be listed may hold anything: a folder without the right to read it was made to be one.
  return error == std::errc::permission_denied ? enough : bytes;
}

}  // namespace attest
