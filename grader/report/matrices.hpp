// Two sets of matrices side by side, should be and yours, and inputs in words: for people, in a terminal's width.
#pragma once

#include "grader/report/paint.hpp"
#include "properties/property.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// The lines of a table: one row of each compared tensor a line, the offending number marked with * (and in red). Of a large
// tensor only the surroundings of the offending number are shown, and a line says what is left out.
//
//                         should be    yours
//        weights  row 0   1    0       0.5* 0
// `headings` stand over the two sides.
std::vector<std::string> comparison(const Evidence& evidence, const Paint& paint,
                                    const std::array<std::string_view, 2>& headings = {"should be", "yours"});

// "2 tokens, 1 head, d_head = 1"
std::string extents_text(const std::vector<std::pair<std::string, Index>>& extents);

// "x = [1; 1], w_q = w_k = 0, w_v = w_o = 1": equal tensors are named once. Tensors too large to be typed in are named with
// their shape only, at the end.
std::string inputs_text(const Arguments& arguments, Dtype dtype);

}  // namespace attest
