// Temporary folders, and what is left of those whose owner could not remove them.
#pragma once

#include "grader/sandbox/descriptor.hpp"

#include <cstddef>
#include <filesystem>
#include <system_error>

namespace attest {

// A new empty folder, readable by its owner only, removed with all that is in it.
class PrivateFolder {
 public:
  PrivateFolder();  // throws std::system_error
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor lock_;  // held while its owner lives, however that ends
};

// Removes the private folders of this user whose owners have ended without doing so (kill -9, a power cut). Returns how many. Younger ones
// may not be locked yet.
std::size_t sweep_abandoned_folders(int least_age_s = 2);

// What the files below a folder take on disk, counted until `enough` bytes, 10,000 files or 100 folders inside one another have been
// seen, whatever comes first; then it is at least `enough`.
std::size_t bytes_in(const std::filesystem::path& folder, std::size_t enough);

}  // namespace attest
