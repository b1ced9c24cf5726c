// A report for a person: what to know first comes first, one mistake is one block.
#pragma once

#include "grader/report/report.hpp"

#include <string>

namespace attest {

struct TextStyle {
  bool colour = false;
  bool verbose = false;  // bounds, environment, what each property cost
  bool all = false;      // every failure in full, and every property that held
  std::string path;      // the file's, as it was given: for commands that are to be typed again
};

std::string to_text(const Report& report, const TextStyle& style);

// "crashed" -> "crashed", "no_entry" -> "no entry": an outcome in words.
std::string outcome_words(Outcome outcome);

}  // namespace attest
