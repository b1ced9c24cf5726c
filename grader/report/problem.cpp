#include "grader/report/problem.hpp"

#include "grader/submission/text.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

std::string with_place(const Fault& fault) {
  std::string text = printable_line(fault.message);
  if (fault.line <= 0) return text;
  const std::string place = fault.file.empty() ? fmt::format("line {}", fault.line)
                                               : fmt::format("{}:{}", printable_line(fault.file), fault.line);
  return text.find(place) == std::string::npos ? fmt::format("{} ({})", text, place) : text;
}

}  // namespace

std::string problem_sentence(Outcome outcome, const Fault& fault) {
  const std::string what = with_place(fault);
  switch (outcome) {
    case Outcome::internal_error:
      return "attest itself failed, and nothing was judged: " + what;
    case Outcome::rejected:
      return "not run: " + what;
    case Outcome::compile_error:
      return "it does not compile: " + what;
    case Outcome::import_error:
      return "it cannot be loaded: " + what;
    case Outcome::crashed:
      return "it crashed before any call: " + what;
    case Outcome::exited:
      return "it ended its own process before any call: " + what;
    case Outcome::out_of_memory:
      return "it ran out of memory before any call: " + what;
    case Outcome::timed_out:
      return "it ran out of time before any call: " + what;
    default:
      return what;
  }
}

std::string fault_sentence(Outcome outcome, const Fault& fault) {
  const std::string what = with_place(fault);
  switch (outcome) {
    case Outcome::internal_error:
      return "attest itself failed: " + what;
    case Outcome::crashed:
      return "your function crashed: " + what;
    case Outcome::exited:
      return "your function ended the process: " + what;
    case Outcome::out_of_memory:
      return "your function needs too much memory: " + what;
    case Outcome::timed_out:
      return "your function takes too long: " + what;
    case Outcome::raised:
      return "your function raised " + what;
    case Outcome::unfinished:
      return "not written yet: " + what;
    default:
      return what;
  }
}

}  // namespace attest
