// How a report writes numbers and words.
#pragma once

#include "properties/tensor.hpp"

#include <string>
#include <string_view>

namespace attest {

// The double whose shortest decimal form is the shortest one that reads back as `value` in `dtype`: 0.1, not
// 0.10000000149011612, for the float32 nearest to 0.1.
double shortest(double value, Dtype dtype);

// For reading: small integers exactly, everything else with 4 significant digits; "nan", "inf", "-inf".
std::string number_text(double value);
// Two numbers that differ, with as many digits as it takes to see it (NaN differs from everything).
struct NumberPair {
  std::string expected, actual;
};
NumberPair telling_apart(double expected, double actual);

// As a word of a shell command line.
std::string shell_word(const std::string& word);

// How many columns a UTF-8 text takes (one for each code point: no wide or combining characters are used here).
std::size_t width(std::string_view utf8);

}  // namespace attest
