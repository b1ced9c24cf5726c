// From a C++ submission to a program: a generated file around it, compiled after a precompiled header, linked with the
// worker's runtime.
#pragma once

#include "grader/worker/process.hpp"
#include "grader/worker/worker.hpp"

#include <filesystem>
#include <string>
#include <variant>

namespace attest {

// A compiler with what was built for it once: precompiled header, runtime, matrix kernels. Kept in the cache folder under a
// key of everything that went into it; several graders may want it at the same time.
struct Toolchain {
  std::string compiler;            // path
  std::string version;             // its first line
  std::vector<std::string> flags;  // for a submission, the precompiled header included
  std::vector<std::string> link;   // objects and linker flags
  std::string key;                 // of all this: other parts, other key. Empty: programs are not kept
  std::vector<std::filesystem::path> folders;  // of the headers that belong to it, beside the system's
  Reach reach;  // what it may open: these and the system's, and nothing of this project's beside them
};
// Sanitized: with AddressSanitizer and UndefinedBehaviorSanitizer, so that a wrong use of memory ends in a report (sanitize.hpp).
enum class Build { usual, sanitized };

// $ATTEST_CXX, $CXX, clang++ (twice as fast with a precompiled header), g++: the first that is there. A Problem when none is,
// or when it cannot compile the grader's own files; sanitized, also where the sanitizers' libraries are missing.
std::variant<Toolchain, Problem> find_toolchain(Dtype dtype, const Limits& limits,
                                                Build build = Build::usual);

// Compiles into `folder`, or takes what the same text was compiled into before. compile_error, no_entry, raised (other
// parameters), timed_out otherwise.
std::variant<Program, Problem> compile(const Toolchain& toolchain, const Submission& submission,
                                       const Spec& spec, const std::filesystem::path& folder,
                                       const Limits& limits);

// Whether it compiles by itself, without an entry: tells a file without one from a file with an error.
std::optional<Problem> check_syntax(const Toolchain& toolchain, const Submission& submission,
                                    const std::filesystem::path& folder, const Limits& limits);

}  // namespace attest
