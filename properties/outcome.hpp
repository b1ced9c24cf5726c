// How a question, a property or a whole submission ended. One enumeration for all three: the names are the report's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attest {

// Gravest first: the outcome of a whole is the smallest of its parts.
enum class Outcome {
  internal_error,
  rejected,
  compile_error,
  import_error,
  no_entry,
  crashed,
  exited,
  out_of_memory,
  timed_out,
  raised,
  unfinished,
  wrong_type,
  wrong_shape,
  non_deterministic,
  falsified,
  fragile,  // breaks only at |score| > 1e6: advice, not a failure
  skipped,  // not judged: a prerequisite failed, or it does not apply
  passed,
};

std::string_view to_string(Outcome outcome);
std::optional<Outcome> parse_outcome(std::string_view name);

// True for everything that loses points: not for passed, fragile and skipped.
constexpr bool is_failure(Outcome outcome) { return outcome < Outcome::fragile; }

// The process that was asked is lost, or its time is: each such answer is expensive.
constexpr bool costs_a_process(Outcome outcome) { return outcome <= Outcome::timed_out; }

// What happened instead of an answer. All text comes from the submission's side: untrusted, for display only.
struct Fault {
  std::string message;    // one line: "IndexError: index 3 is out of bounds"
  std::string file;       // base name, or empty
  int line = 0;           // 1-based, 0 when unknown
  std::string traceback;  // several lines, or empty
};

}  // namespace attest
