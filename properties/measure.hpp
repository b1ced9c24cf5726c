// Two numbers of an implementation, found by asking: what it puts in place of a hidden score, and what it multiplies scores with.
#pragma once

#include "properties/mutants/zoo.hpp"
#include "properties/property.hpp"

namespace attest {

// Up to some fifty small calls, one after the other; a mask that hides needs two. NaN where the answer shows no such number: weights that are
// not returned are read out through y, which presumes a right value path.
Measured measure(const Subject& subject, Candidate& candidate);

}  // namespace attest
