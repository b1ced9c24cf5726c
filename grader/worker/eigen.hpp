// Eigen's headers for submissions: those assertions that a learner meets also say the shapes.
#pragma once

#include <filesystem>
#include <string>

namespace attest {

// Copies the folder `Eigen` from one place to another and gives its assertions their shapes (ATTEST_ASSERT in runtime/prelude.hpp).
// An assertion that another version of Eigen words differently stays as it is. Throws std::filesystem::filesystem_error.
void copy_eigen(const std::filesystem::path& from, const std::filesystem::path& to);

// All that the copy depends on besides Eigen: for a key.
std::string eigen_copy_version();

}  // namespace attest
