// How much of a report is told: a course may want to say that something is wrong without giving the case away.
//
//   full     everything
//   hint     no case: neither inputs, token and seed, nor what was seen in it. What must hold, a question to ask oneself, which aspects
//            are right so far, and where there is more help
//   verdict  the results alone: points, and what became of each property
//
// What is left out is taken out of the record, before anything renders it. What the submission printed stays: it is its own.
#pragma once

#include "grader/report/report.hpp"

#include <optional>
#include <string_view>

namespace attest {

std::string_view to_string(Detail detail);
std::optional<Detail> parse_detail(std::string_view name);

// The report as it may be told. Made once, of a full one.
Report told(Report report, Detail detail);

}  // namespace attest
