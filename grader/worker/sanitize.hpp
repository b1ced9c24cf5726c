// What AddressSanitizer and UndefinedBehaviorSanitizer print, read; and told to somebody who has never seen such a report.
#pragma once

#include "grader/submission/submission.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// The first thing that a sanitizer found. What it did not say is empty, or 0.
struct Finding {
  enum class Kind {
    overflow,      // of an array: heap, stack or global; see `distance`
    container,     // inside what a std::vector has reserved, behind its last element
    freed,         // memory that was given back
    returned,      // a local variable of a function that has returned
    out_of_scope,  // a local variable or a temporary that is gone
    freed_twice,
    bad_free,  // given back what was not got from the allocator, or in another way than it was got
    null,
    wild,  // an address that belongs to nothing
    misaligned,
    bad_size,    // a copy or an allocation of a negative, or an absurd, number of bytes
    overlap,     // memcpy between places that overlap
    index,       // of an array whose length the type says
    arithmetic,  // a result that its type cannot hold
    shift,
    division,
    missing_return,
    bad_length,  // of a variable-length array
    bad_value,   // a bool or an enum that holds neither of its values
  };
  enum class Access { none, read, write };

  Kind kind = Kind::wild;
  Access access = Access::none;
  std::int64_t size = 0;      // of the access, bytes
  std::int64_t region = 0;    // bytes of the array, or of what was allocated
  std::int64_t distance = 0;  // from the region's start, bytes; negative: before it
  bool has_distance = false;
  std::string variable;  // its name, of a local or a global one
  int variable_line = 0;
  std::string file;  // where a sanitizer says it itself: base name and line
  int line = 0;
  std::string words;                           // UndefinedBehaviorSanitizer's own
  std::vector<std::uint64_t> at, made, freed;  // return addresses, innermost first
};

// nullopt: the text holds no report, or one of something that is told well enough without it (stack overflow, abort).
std::optional<Finding> read_sanitizer_report(std::string_view text);

// A line of the submission, 0 when none is known, and the way there; for return addresses.
struct CodeLine {
  int line = 0;
  std::string trace;
};
using Locate = std::function<CodeLine(const std::vector<std::uint64_t>&)>;

// "it read one past the end of `scores`, an array of 4 made in line 20", with the line of the access.
Fault fault_of(const Finding& finding, const Submission& submission, const Locate& locate);

// The arrays that the line's text indexes, as far as they can be told from each other: those that are written where `access` is a
// write, read where it is a read. For naming one; more than one means that none can be named.
std::vector<std::string> indexed_names(std::string_view line, Finding::Access access);

}  // namespace attest
