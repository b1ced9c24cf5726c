// A whole examination: the properties in order, with what one failure means for the next.
#pragma once

#include "properties/search.hpp"

#include <functional>
#include <vector>

namespace attest {

// Called with (properties done, properties in all) before each round of questions. May throw to end the run.
using Progress = std::function<void(std::size_t, std::size_t)>;

// Judges all of `properties` in order. Finds out whether weights are returned; skips what depends on a failed property and
// says why; once calls have been seen to fail (the first property says so), later properties leave such cases out instead of
// failing with them: one bug is reported once.
std::vector<PropertyResult> run(const std::vector<const Property*>& properties, const Spec& spec, Dtype dtype,
                                Candidate& candidate, const Plan& plan, const Progress& progress = {});

}  // namespace attest
