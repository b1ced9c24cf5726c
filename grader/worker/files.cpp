#include "grader/worker/files.hpp"

#include "grader/submission/submission.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace attest {
namespace {

namespace fs = std::filesystem;

// A folder that only this user can write to: what is kept there is run.
bool usable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  struct stat info {};
  if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid()) return false;
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0 && chmod(folder.c_str(), 0700) != 0) return false;
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

fs::path data_folder() {
  std::error_code error;
  const auto complete = [&](const fs::path& folder) {
    return fs::exists(folder / "grader" / "worker" / "wire.hpp", error);
  };
  if (const char* home = std::getenv("ATTEST_HOME"); home != nullptr && *home != '\0' && complete(home))
    return home;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / "share" / "attest";
    if (complete(installed)) return installed;
  }
  return ATTEST_SOURCE_FOLDER;
}

fs::path cache_folder() {
  std::vector<fs::path> candidates;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg == '/')
    candidates.push_back(fs::path(xdg) / "attest");
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    candidates.push_back(fs::path(home) / ".cache" / "attest");
  std::error_code error;
  fs::path temporary = fs::temp_directory_path(error);
  if (error) temporary = "/tmp";
  candidates.push_back(temporary / ("attest-cache-" + std::to_string(geteuid())));
  for (const fs::path& folder : candidates) {
    if (usable(folder)) return folder;
  }
  throw UsageError("no folder to keep compiled parts in: set XDG_CACHE_HOME to one that can be written to");
}

void write_file(const fs::path& path, std::string_view text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file)
    throw std::system_error(errno, std::generic_category(),
                            "cannot write a temporary file (TMPDIR names another place for them)");
}

bool is_full(const fs::path& folder) {
  struct statvfs info {};
  return statvfs(folder.c_str(), &info) == 0 && info.f_bavail * info.f_frsize < 1u << 20;
}

}  // namespace attest
