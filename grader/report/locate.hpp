// Where the submission goes wrong: one wrong call is asked again, followed line by line.
#pragma once

#include "grader/exercises/ladder.hpp"
#include "grader/report/report.hpp"
#include "properties/candidate.hpp"

#include <cstdint>

namespace attest {

// Adds the first wrong stage to a report of wrong values, where it can be said. `exercise` as the candidate answers it. Nothing that was
// judged before changes, and the call that is followed is not judged.
void locate(const Exercise& exercise, Candidate& candidate, std::uint64_t seed, Report& report);

}  // namespace attest
