// Failures that a wrong use of memory may explain: the questions are asked once more, with memory watched. No verdict changes by it.
#pragma once

#include "grader/report/report.hpp"
#include "properties/candidate.hpp"
#include "properties/search.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace attest {

// Worker::examine(), of questions as the exercise asks them. Empty: it cannot be done.
using Examine = std::function<std::optional<Fault>(std::span<const Question>)>;

// Crashes, exceptions and calls that need too much memory get what was found for their fault.
void examine_crashes(const Examine& examine, std::vector<PropertyResult>& results);

// Answers that change from call to call, and the first wrong value that no bug explains (what lies behind an array's end is a value as
// well), get what was found behind their explanation.
void examine_values(const Examine& examine, Report& report);

}  // namespace attest
