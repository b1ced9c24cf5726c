#include "grader/worker/greeting.hpp"

#include "grader/worker/python.hpp"
#include "grader/worker/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace attest {
namespace {

// "split(x, n_heads)" -> a Definition.
Definition definition_of(const std::string& text) {
  Definition definition;
  const std::size_t open = text.find('(');
  definition.name = text.substr(0, open);
  std::string parameter;
  for (const char c : open == std::string::npos ? "" : text.substr(open + 1)) {
    if (c == ',' || c == ')') {
      if (!parameter.empty()) definition.parameters.push_back(parameter);
      parameter.clear();
    } else if (c != ' ') {
      parameter += c;
    }
  }
  return definition;
}

// The function of the exercise that the worker named; its entry if it named none.
std::vector<const Spec*> missing_of(const Spec& spec, const std::string& name) {
  for (const Spec& other : spec.also) {
    if (other.entry == name) return {&other};
  }
  return {&spec};
}

}  // namespace

std::optional<Problem> problem_of(const Hello& hello, Problem plain, const Submission& submission,
                                  const std::vector<const Spec*>& specs) {
  const auto entry = static_cast<std::size_t>(std::max(hello.entry, 0));
  const bool known = hello.entry >= 0 && entry < specs.size();
  const auto problem = [&](Outcome outcome, std::string advice) {
    Problem made = plain;
    made.outcome = outcome;
    made.advice = std::move(advice);
    return made;
  };
  const auto for_no_function = [&] {
    Problem made = problem(Outcome::rejected, "");
    made.fault.message =
        "the process sent a greeting for a function that it was not asked for. Rule: a submission defines "
        "functions; who loads it does the greeting";
    return made;
  };
  switch (hello.status) {
    case wire::Status::answered:
      if (!known) return for_no_function();
      return std::nullopt;
    case wire::Status::exited: {
      Problem made = problem(
          Outcome::exited,
          "Put what should only happen when the file is run by itself below if __name__ == \"__main__\":");
      made.fault.message =
          "the program was ended while the file was being imported (" + made.fault.message + ")";
      return made;
    }
    case wire::Status::out_of_memory:
      return problem(Outcome::out_of_memory, "");
    case wire::Status::no_entry: {
      if (const std::string value = hello.fact("value"); !value.empty()) {
        Problem made = problem(Outcome::no_entry, "It must be a function.");
        made.fault.message = value;
        return made;
      }
      std::vector<Definition> found;
      const std::vector<Definition> read = definitions(submission);
      for (const auto& [key, value] : hello.facts) {
        if (key != "callable") continue;
        Definition definition = definition_of(value);
        for (const Definition& other : read) {
          if (other.name == definition.name) definition.line = other.line;
        }
        found.push_back(std::move(definition));
      }
      const std::vector<const Spec*> missing =
          known ? missing_of(*specs[entry], hello.fact("missing")) : specs;
      Problem made = no_entry(submission.name, Language::python, missing, found);
      made.output_tail = plain.output_tail;
      return made;
    }
    case wire::Status::wrong_signature:
      if (!known) return for_no_function();
      return wrong_signature(submission.name, Language::python,
                             *missing_of(*specs[entry], hello.fact("missing")).front(),
                             hello.fact("parameters"), hello.fault.line);
    case wire::Status::no_walls: {
      Problem made = problem(Outcome::internal_error, "attest doctor tells which walls stand here.");
      made.fault = {"the submission could not be confined: " + hello.fault.message, "", 0, ""};
      return made;
    }
    case wire::Status::no_numpy: {
      Problem made = problem(Outcome::internal_error,
                             "Install NumPy for it, or name another interpreter with ATTEST_PYTHON.");
      made.fault = {"the Python that was chosen has no NumPy", "", 0, ""};
      return made;
    }
    default: {
      const bool missing = hello.fault.message.rfind("ModuleNotFoundError", 0) == 0;
      return problem(Outcome::import_error,
                     missing ? fmt::format("There are the standard library and {}, and nothing else.",
                                           fmt::join(imports_of(submission, specs).packages, ", "))
                             : "");
    }
  }
}

}  // namespace attest
