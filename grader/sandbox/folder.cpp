#include "grader/sandbox/folder.hpp"

#include "grader/sandbox/walls.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "attest-";

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

void remove_with_all(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) return;
  // A folder whose permissions the submission has taken away can be removed once they are back.
  std::error_code ignored;
  fs::permissions(path, fs::perms::owner_all, ignored);
  for (fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, ignored), end;
       it != end; it.increment(ignored)) {
    if (!ignored && fs::is_directory(it->symlink_status(ignored)))
      fs::permissions(it->path(), fs::perms::owner_all, ignored);
  }
  fs::remove_all(path, error);
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

PrivateFolder::~PrivateFolder() { remove_with_all(path_); }

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
    remove_with_all(it->path());
    ++swept;
  }
  return swept;
}

std::size_t bytes_in(const fs::path& folder, std::size_t enough) {
  std::size_t bytes = 0, files = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && it != end; it.increment(error)) {
    struct stat info {};
    if (lstat(it->path().c_str(), &info) == 0) bytes += static_cast<std::size_t>(info.st_blocks) * 512;
    if (++files >= 10000) return enough;
    if (bytes >= enough) break;
  }
  return bytes;
}

}  // namespace attest
