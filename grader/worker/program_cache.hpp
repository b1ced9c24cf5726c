// The programs that C++ submissions became, kept by all that went into them: the same file is compiled once.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace attest {

// One file a program, in a folder that is this user's alone: its checksum, then its bytes. What is missing, damaged or
// somebody else's counts as not kept, so nothing here can fail, and several graders may share the folder. Processes of
// submissions get copies: what they do to their program does not come back here.
class ProgramCache {
 public:
  // Some 400 programs; what was used longest ago goes first.
  static constexpr std::size_t kMostBytes = std::size_t{200} << 20;

  explicit ProgramCache(std::filesystem::path folder, std::size_t most_bytes = kMostBytes);

  // Makes the file `program` of what is kept under `key`, 64 hexadecimal digits. False: nothing is.
  bool take(const std::string& key, const std::filesystem::path& program) const;
  void keep(const std::string& key, const std::filesystem::path& program) const;

 private:
  void make_room() const;

  std::filesystem::path folder_;
  std::size_t most_bytes_;
  bool usable_;
};

}  // namespace attest
