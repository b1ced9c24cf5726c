// For tests of what is rendered: files in testdata/approved, each of which a person has read. ATTEST_BLESS=1 rewrites them: read the
// difference before you commit it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace attest {

// What `name` holds; after it was rewritten with `now`, if that is wanted.
inline std::string approved(const std::string& name, const std::string& now) {
  const std::string path = std::string(ATTEST_APPROVED_FOLDER) + "/" + name;
  if (std::getenv("ATTEST_BLESS") != nullptr) std::ofstream(path, std::ios::binary) << now;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace attest
