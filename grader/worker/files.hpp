// Where the files are that come with the program.
#pragma once

#include <filesystem>
#include <string_view>

namespace attest {

// The folder that holds exercises/ and grader/ as the source tree does: $ATTEST_HOME, share/attest of the installation that
// the running program belongs to, or else the source tree that it was built from.
std::filesystem::path data_folder();

// Where things may be kept that can be made again: $XDG_CACHE_HOME/attest, ~/.cache/attest, or a folder of this user's own
// among the temporary ones. Exists and is writable when this returns.
std::filesystem::path cache_folder();

// Throws std::system_error unless all of it is written: half a submission would be another one.
void write_file(const std::filesystem::path& path, std::string_view text);

// Whether what is missing may be missing because nothing more can be written there.
bool is_full(const std::filesystem::path& folder);

}  // namespace attest
