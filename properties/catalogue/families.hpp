// The families of the catalogue, one file each. property.cpp puts them in the order in which they are judged.
#pragma once

#include "properties/property.hpp"

#include <vector>

namespace attest {

std::vector<Property> output_properties();      // there is an answer, of the right shape, finite
std::vector<Property> state_properties();       // calls do not influence one another
std::vector<Property> value_properties();       // what happens to the values, given the weights
std::vector<Property> weight_properties();      // the weights as a table
std::vector<Property> causality_properties();   // no token sees a later one
std::vector<Property> head_properties();        // every head its own block
std::vector<Property> score_properties();       // scaled by sqrt(d_head)
std::vector<Property> symmetry_properties();    // what may be changed without anything changing
std::vector<Property> separation_properties();  // queries and keys, one at a time
std::vector<Property> numerics_properties();    // large scores
std::vector<Property> softmax_properties();     // of the softmax alone
std::vector<Property> mask_properties();        // of the additive mask alone
std::vector<Property> split_properties();       // of splitting and merging heads alone
std::vector<Property> reference_properties();   // the comparison with the reference

}  // namespace attest
