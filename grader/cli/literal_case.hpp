// --case: one input to judge, as a token or spelled out in a file.
#pragma once

#include "grader/exercises/ladder.hpp"
#include "properties/case.hpp"

#include <string>

namespace attest {

struct OneCase {
  std::string slug;
  std::optional<Dtype> dtype;  // a token says it; a file does not
  Case value;
};

// `text` is a token (see properties/case.hpp) or "@FILE". The file holds JSON: {"x": [[1, 2]], ..., "n_heads": 1}, or a
// counterexample out of a report (an object with "inputs"). Its exercise is `slug`, or the one whose arguments have these
// names. Throws UsageError saying what is wrong and what is expected.
OneCase read_case(const std::string& text, const std::string& slug, const Ladder& ladder);

}  // namespace attest
