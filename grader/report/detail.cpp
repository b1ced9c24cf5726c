#include "grader/report/detail.hpp"

#include "grader/report/guidance.hpp"
#include "grader/report/problem.hpp"
#include "grader/report/text.hpp"
#include "properties/property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace attest {
namespace {

constexpr std::array<std::pair<Detail, std::string_view>, 3> kDetails = {
    {{Detail::full, "full"}, {Detail::hint, "hint"}, {Detail::verdict, "verdict"}}};

// "IndexError" of "IndexError: index 3 is out of bounds": what an exception says may hold numbers of the case, and so may the name
// of a type that a submission has made.
std::string type_of_exception(const std::string& message) {
  constexpr std::array kKnown = {"ArithmeticError",
                                 "AssertionError",
                                 "AttributeError",
                                 "FloatingPointError",
                                 "ImportError",
                                 "IndexError",
                                 "KeyError",
                                 "LinAlgError",
                                 "LookupError",
                                 "MemoryError",
                                 "ModuleNotFoundError",
                                 "NameError",
                                 "NotImplementedError",
                                 "OSError",
                                 "OverflowError",
                                 "PermissionError",
                                 "RecursionError",
                                 "RuntimeError",
                                 "StopIteration",
                                 "SyntaxError",
                                 "SystemExit",
                                 "TypeError",
                                 "numpy.AxisError",
                                 "numpy.core._exceptions._ArrayMemoryError",
                                 "numpy.core._exceptions._UFuncNoLoopError",
                                 "numpy.linalg.LinAlgError",
                                 "UnboundLocalError",
                                 "ValueError",
                                 "ZeroDivisionError",
                                 "std::bad_alloc",
                                 "std::domain_error",
                                 "std::invalid_argument",
                                 "std::length_error",
                                 "std::logic_error",
                                 "std::out_of_range",
                                 "std::overflow_error",
                                 "std::runtime_error"};
  const std::string type = message.substr(0, message.find(": "));
  return std::find(kKnown.begin(), kKnown.end(), type) != kKnown.end() ? type : "an exception";
}

std::string what_happened(Outcome outcome, const std::string& message) {
  switch (outcome) {
    case Outcome::internal_error:
      return "attest itself failed";
    case Outcome::raised:
      return "your function raised " + type_of_exception(message);
    case Outcome::crashed:
      return "your function crashed";
    case Outcome::exited:
      return "your function ended the process";
    case Outcome::out_of_memory:
      return "your function needs too much memory";
    case Outcome::timed_out:
      return "your function takes too long";
    case Outcome::unfinished:
      return "not written yet";
    case Outcome::non_deterministic:
      return "the same call does not always give the same answer";
    default:
      return "an answer is of the " + outcome_words(outcome);  // wrong type, wrong shape
  }
}

Fault without_case(const Fault& fault, Outcome outcome) {
  return {what_happened(outcome, fault.message), fault.file, fault.line, ""};
}

// What is known of the property before any submission is judged.
PropertyReport general(const PropertyReport& property, Detail detail) {
  PropertyReport told;
  told.id = property.id;
  told.title = property.title;
  told.group = property.group;
  told.advice = property.advice;
  told.is_warning = property.is_warning;
  told.outcome = property.outcome;
  told.skip_reason = property.skip_reason;
  told.follows_from = property.follows_from;
  told.waits_for = property.waits_for;
  told.cases = property.cases;
  told.points = property.points;
  if (property.outcome == Outcome::passed || property.outcome == Outcome::skipped) return told;

  if (!property.verdict.fault.message.empty()) {
    told.verdict.fault = without_case(property.verdict.fault, property.outcome);
    told.explanation = fault_sentence(Outcome::falsified, told.verdict.fault);  // with its place
  } else if (detail == Detail::hint) {
    const Property* known = find_property(property.id);
    told.explanation = "this must hold, and does not always: " + property.title;
    if (known != nullptr && !known->formula.empty()) told.explanation += fmt::format(" ({})", known->formula);
    const bool steady = property.outcome != Outcome::non_deterministic;
    told.ask = fill_in(guidance(steady ? property.id : "state/deterministic").ask, told);
  }
  return told;
}

}  // namespace

std::string_view to_string(Detail detail) {
  for (const auto& [one, name] : kDetails) {
    if (one == detail) return name;
  }
  return {};
}

std::optional<Detail> parse_detail(std::string_view name) {
  for (const auto& [one, known] : kDetails) {
    if (known == name) return one;
  }
  return std::nullopt;
}

Report told(Report report, Detail detail) {
  if (detail == Detail::full) return report;
  report.detail = detail;
  report.seed.reset();
  report.location.reset();
  report.known.clear();
  const bool of_a_call = !report.properties.empty() && report.outcome != Outcome::internal_error;
  if (report.error && of_a_call) report.error = without_case(*report.error, report.outcome);
  for (PropertyReport& property : report.properties) property = general(property, detail);
  for (Advice& advice : report.advice) {
    for (const PropertyReport& property : report.properties) {
      if (advice.property == property.id) advice = as_advice(property);
    }
  }
  std::vector<BugReport> named = std::exchange(report.diagnosis, {});
  if (detail == Detail::verdict) {
    report.right_so_far.clear();
    report.not_judged.clear();
    report.judged_in_part.clear();
    report.hint.clear();
    return report;
  }
  for (const BugReport& bug : named) {
    BugReport asked;
    asked.bug = bug.bug;
    asked.agreed = bug.agreed;
    asked.of = bug.of;
    asked.ask = bug.ask;
    report.diagnosis.push_back(std::move(asked));
  }
  return report;
}

}  // namespace attest
