#include "grader/report/misuse.hpp"

#include "grader/report/problem.hpp"

namespace attest {

// Properties that fail for one reason are many, and each look is a process.
constexpr int kMostLooks = 3;

void examine_crashes(const Examine& examine, std::vector<PropertyResult>& results) {
  int looks = 0;
  for (PropertyResult& result : results) {
    // An exception, or too much memory, may come of a length that was read from the wrong place.
    const bool may_be_misuse = result.outcome == Outcome::crashed || result.outcome == Outcome::raised ||
                               result.outcome == Outcome::out_of_memory;
    if (!examine || !may_be_misuse || !result.counterexample || looks++ >= kMostLooks) continue;
    if (const auto misuse = examine(result.counterexample->questions)) result.verdict.fault = *misuse;
  }
}

void examine_values(const Examine& examine, Report& report) {
  int looks = 0;
  bool is_unexplained = report.outcome == Outcome::falsified && report.diagnosis.empty();
  for (PropertyReport& property : report.properties) {
    if (!examine || !property.counterexample || looks >= kMostLooks) continue;
    const bool is_wrong = property.outcome == Outcome::falsified;
    const bool changes =
        property.outcome == Outcome::non_deterministic || (is_wrong && property.group == "state");
    if (!changes && !(is_wrong && is_unexplained)) continue;
    if (!changes) is_unexplained = false;  // the first is enough
    ++looks;
    if (const auto misuse = examine(property.counterexample->questions))
      property.explanation += "; a closer look found: " + fault_sentence(Outcome::falsified, *misuse);
  }
}

}  // namespace attest
