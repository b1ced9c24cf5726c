#include "grader/sandbox/landlock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace attest {
namespace {

namespace fs = std::filesystem;

// linux/landlock.h of newer kernels than that of Debian 12's headers.
constexpr long kCreateRuleset = 444, kAddRule = 445;
constexpr std::uint64_t kExecute = 1 << 0, kReadFile = 1 << 2, kReadFolder = 1 << 3;
constexpr std::uint64_t kFirstVersion = (1 << 13) - 1, kRefer = 1 << 13, kTruncate = 1 << 14,
                        kDeviceIoctl = 1 << 15;
constexpr std::uint64_t kForFiles = kExecute | 1 << 1 /* write */ | kReadFile | kTruncate | kDeviceIoctl;

struct Ruleset {
  std::uint64_t files, network, scope;
};

struct [[gnu::packed]] PathRule {
  std::uint64_t allowed;
  std::int32_t folder;
};

// Starting a program means starting its loader.
bool is_loader(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.rfind("ld-linux", 0) == 0 || name.rfind("ld64", 0) == 0;
}

}  // namespace

Descriptor landlock_rules(const Reach& reach, const fs::path& own_folder) {
  const long version = syscall(kCreateRuleset, nullptr, 0, 1u);
  if (version < 1) throw std::system_error(errno, std::generic_category(), "Landlock");
  Ruleset set{kFirstVersion, version >= 4 ? 3u : 0u, version >= 6 ? 3u : 0u};
  if (version >= 2) set.files |= kRefer;
  if (version >= 3) set.files |= kTruncate;
  if (version >= 5) set.files |= kDeviceIoctl;
  const std::size_t bytes = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  Descriptor rules(static_cast<int>(syscall(kCreateRuleset, &set, bytes, 0u)));
  const auto allow = [&](const std::vector<fs::path>& paths, std::uint64_t what) {
    for (const fs::path& path : paths) {
      const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
      struct stat info {};
      if (!place || fstat(place.get(), &info) != 0) continue;
      const PathRule rule{what & set.files & (S_ISDIR(info.st_mode) ? ~0ull : kForFiles), place.get()};
      syscall(kAddRule, rules.get(), 1, &rule, 0u);
    }
  };
  if (!rules) throw std::system_error(errno, std::generic_category(), "Landlock");
  allow(reach.read, kReadFile | kReadFolder);
  allow(reach.run, kReadFile | kReadFolder | kExecute);
  allow(reach.write, ~kExecute & ~kDeviceIoctl);
  allow({own_folder}, ~kExecute & ~kDeviceIoctl);
  return rules;
}

std::vector<fs::path> entries_without(const fs::path& folder, const std::vector<std::string>& names) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (std::find(names.begin(), names.end(), it->path().filename().string()) == names.end())
      found.push_back(it->path());
  }
  return found;
}

Reach system_libraries() {
  Reach reach;
  reach.read = {"/etc/ld.so.cache",    "/etc/ld.so.preload", "/etc/localtime", "/usr/lib/locale",
                "/usr/share/zoneinfo", "/dev/zero",          "/dev/random",    "/dev/urandom"};
  reach.write = {"/dev/null"};
  for (const char* parent : {"/usr/lib", "/lib", "/usr/lib64", "/lib64"}) {
    for (const fs::path& entry : entries_without(parent, {})) {
      const std::string name = entry.filename().string();
      // /usr/lib/x86_64-linux-gnu and its like; all of /usr/lib would show Python's packages.
      if (name.find("-linux-") != std::string::npos) {
        reach.read.push_back(entry);
        for (const fs::path& library : entries_without(entry, {})) {
          if (is_loader(library)) reach.run.push_back(library);
        }
      } else if (is_loader(entry)) {
        reach.run.push_back(entry);
      } else if (name.find(".so") != std::string::npos) {
        reach.read.push_back(entry);
      }
    }
  }
  return reach;
}

}  // namespace attest
