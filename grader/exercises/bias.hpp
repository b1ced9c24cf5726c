// Numbers for the biases of a call whose default has none. What is the same for all tokens can come out of the tokens' own product or
// be added by a bias: it is moved from the one to the other, so that the expected answer stays, and its bounds do.
#pragma once

#include "properties/tensor.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace attest {

struct WithBiases {
  Arguments arguments;                                // the default ones, without what has moved
  std::map<std::string, std::vector<double>> biases;  // by the weight behind whose product they are added
};

// Of the weights in `biased`: w_q, w_k and w_v, w_o, all of these or none. Where nothing can move they are zeros.
//
// w_q, w_k, w_v: a feature of x that is 1 in all rows becomes 0, and the bias is that row of the weight, exactly.
// w_o: a column of w_v that meets no other feature makes the same value, c, for all tokens, and weights that sum to 1 leave it as it is.
// The column becomes 0, and the bias is c times the row of w_o that it would have met.
//
// Either way a sum has as many terms as before, each with one rounding, of which one is added last: one of the orders that the bounds
// allow for. What moves is a matter of numbers that a property's questions have in common (Spec::ends_with_one): a forgotten bias is
// not taken for acausality. Not all of w_v moves, for that would hide where the heads go.
//
// A forgotten bias of w_k cannot be seen, by this or by anything: it adds the same number to all scores of a row, and softmax does
// not see that.
WithBiases moved_into_biases(Arguments arguments, const std::set<std::string>& biased, Dtype dtype);

}  // namespace attest
