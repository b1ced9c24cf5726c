#include "grader/worker/program_cache.hpp"

#include "grader/sandbox/sandbox.hpp"
#include "grader/submission/sha256.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <vector>

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChecksum = 64;  // characters

// What is kept here is run: nobody else may write to the folder, or see whose work is in it.
bool is_ours_alone(const fs::path& folder) {
  mkdir(folder.c_str(), 0700);
  struct stat info {};
  return lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & 077) == 0;
}

// All of a regular file. Nothing when it is something else, larger than `most`, or cannot be read.
std::optional<std::string> contents(const Descriptor& file, std::size_t most) {
  struct stat info {};
  if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  if (static_cast<std::size_t>(info.st_size) > most) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t got = read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

bool write_all(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Of the key too: a program under another one's name is not that one.
std::string checksum(const std::string& key, std::string_view program) {
  return sha256(key + sha256(program));
}

Descriptor open_to_read(const fs::path& path) {
  return Descriptor(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
}

// A program that somebody has open for writing cannot be started, and children that other threads forked while it was written
// have it open until they start their own. The kernel grants a read lease once there is no writer left.
bool can_be_started(const fs::path& program) {
  constexpr int kPatienceMs = 1000;
  const Descriptor file = open_to_read(program);
  for (int waited = 0; waited < kPatienceMs; ++waited) {
    if (fcntl(file.get(), F_SETLEASE, F_RDLCK) == 0) return fcntl(file.get(), F_SETLEASE, F_UNLCK) == 0;
    if (errno != EAGAIN) return true;  // a file system without leases: it is rare enough
    usleep(1000);
  }
  return false;
}

}  // namespace

ProgramCache::ProgramCache(fs::path folder, std::size_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes), usable_(is_ours_alone(folder_)) {}

bool ProgramCache::take(const std::string& key, const fs::path& program) const {
  if (!usable_) return false;
  const Descriptor kept = open_to_read(folder_ / key);
  const std::optional<std::string> bytes = contents(kept, most_bytes_ + kChecksum);
  if (!bytes || bytes->size() < kChecksum) return false;
  const auto rest = std::string_view(*bytes).substr(kChecksum);
  if (bytes->compare(0, kChecksum, checksum(key, rest)) != 0) return false;
  futimens(kept.get(), nullptr);  // used just now
  Descriptor made(open(program.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755));
  if (!made || !write_all(made, rest)) return false;
  made.reset();
  return can_be_started(program);
}

void ProgramCache::keep(const std::string& key, const fs::path& program) const {
  if (!usable_) return;
  const std::optional<std::string> bytes = contents(open_to_read(program), most_bytes_);
  if (!bytes) return;
  // Under its name only once it is complete; one that was left unfinished is old one day, and goes.
  std::string unfinished = (folder_ / "unfinished-XXXXXX").string();
  const Descriptor file(mkostemp(unfinished.data(), O_CLOEXEC));
  if (!file) return;
  if (!write_all(file, checksum(key, *bytes)) || !write_all(file, *bytes) ||
      rename(unfinished.c_str(), (folder_ / key).c_str()) != 0) {
    unlink(unfinished.c_str());
  }
  make_room();
}

void ProgramCache::make_room() const {
  struct Kept {
    fs::path path;
    fs::file_time_type used;
    std::size_t bytes;
  };
  std::vector<Kept> all;
  std::size_t sum = 0;
  std::error_code gone;  // another grader may remove the same file
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, gone)) {
    const Kept kept{entry.path(), entry.last_write_time(gone), entry.file_size(gone)};
    if (gone) continue;
    sum += kept.bytes;
    all.push_back(kept);
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& oldest : all) {
    if (sum <= most_bytes_) return;
    fs::remove(oldest.path, gone);
    sum -= oldest.bytes;
  }
}

}  // namespace attest
