// What can be said beside the failures: which aspects are right so far, which nobody has looked at, and where there is more help.
#pragma once

#include "grader/report/report.hpp"

namespace attest {

// Fills right_so_far, not_judged, judged_in_part and hint from the rest of the report; the last thing that is done to it.
void sum_up(Report& report);

}  // namespace attest
