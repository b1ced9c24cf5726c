// What a learner is told about a property that failed. A row of words for each id; a property without a row gets sentences
// made from its title, so a new property needs no row, but deserves one.
#pragma once

#include "grader/report/report.hpp"

#include <array>
#include <string>
#include <string_view>

namespace attest {

struct Guidance {
  std::string_view id;
  // With {where} weights[0, 1, 2], {row} "row 1" or "row 1 of head 0", {token} and {column} the last two indices of weights
  // or the first of y, {tensor}, {expected}, {actual}, {transform} how the call differs from the case.
  std::string_view sentence;
  std::string_view look_at;
  std::string_view ask;
  std::array<std::string_view, 2> headings = {"should be", "yours"};  // over what is compared
};

// Never null: unknown ids get a row of general words.
const Guidance& guidance(std::string_view id);

// `words` with the names in braces replaced.
std::string fill_in(std::string_view words, const PropertyReport& property);

// One sentence: what was seen and what must hold.
std::string sentence(const PropertyReport& property);

// The failure as something to know, where it costs nothing.
Advice as_advice(const PropertyReport& property);

// "weights[0, 1, 2]", "y[1, 0]", "row 1 of head 0 of weights"; or the tensor alone.
std::string where_text(const Evidence& evidence);

}  // namespace attest
