// What a process may open. Through the kernel's own calls: Debian 12 has no library for Landlock.
#pragma once

#include "grader/sandbox/descriptor.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

// Everything that is named, with all below; what is not named cannot be opened, nor written, nor made, nor removed. A name that
// does not exist is passed over.
struct Reach {
  std::vector<std::filesystem::path> read;
  std::vector<std::filesystem::path> run;    // read, and execute
  std::vector<std::filesystem::path> write;  // everything but execute
};

// A set of rules for landlock_restrict_self(2), with a folder of its own to write to: also no TCP, and no signals or abstract sockets to
// processes outside, where the kernel knows of these. Throws std::system_error where it has no Landlock.
Descriptor landlock_rules(const Reach& reach, const std::filesystem::path& own_folder);

// What every program needs to start at all: the loader, shared libraries, /dev/null and the like. Nothing of Python's packages.
Reach system_libraries();

// The entries of `folder` but for the named ones.
std::vector<std::filesystem::path> entries_without(const std::filesystem::path& folder,
                                                   const std::vector<std::string>& names);

}  // namespace attest
