// Where cases come from and how they get smaller: RapidCheck's Gen and Shrinkable over Case.
#pragma once

#include "properties/case.hpp"
#include "properties/property.hpp"

#include <rapidcheck.h>

namespace attest {

// Case number `index` (0-based) of a property's search: the fixed early shapes first, drawn ones after. A function of
// (spec, property, seed, index) only: replayable, shardable, independent of the budget.
Case drawn_case(const Spec& spec, const Property& property, std::uint64_t seed, int index);
// The same, with all that is simpler.
rc::Shrinkable<Case> case_at(const Spec& spec, const Property& property, Dtype dtype, std::uint64_t seed,
                             int index);

// The same as a RapidCheck generator, for suites that are linked in process.
rc::Gen<Case> cases(const Spec& spec, const Property& property, Dtype dtype);

// All one-step simplifications of a case, simplest first: shape, regime, whole tensors, choices, then single tokens, heads and
// features, rows, elements. Every step makes something smaller, so shrinking ends.
rc::Seq<Case> shrinks(const Spec& spec, Dtype dtype, const Case& c);

}  // namespace attest
