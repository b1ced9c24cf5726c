// A fuzz target is one function over bytes that come from outside: it must return, whatever they are, and may throw only what its
// parser promises. libFuzzer calls it (preset `fuzz`), and so does replay.cpp in the ordinary tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace attest::fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process: what was found to be untrue.
[[noreturn]] inline void found(const char* what) {
  std::fprintf(stderr, "found: %s\n", what);
  __builtin_trap();
}

}  // namespace attest::fuzz
