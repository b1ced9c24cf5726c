// SHA-256 (FIPS 180-4), enough to name a file by its bytes. Small on purpose: a crypto library would be the project's
// heaviest dependency, for one function that never meets a secret.
#pragma once

#include <string>
#include <string_view>

namespace attest {

// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace attest
