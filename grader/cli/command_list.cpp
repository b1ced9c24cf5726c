// attest list: the ladder, with what each rung asks for.
#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

std::string call_text(const Spec& spec) {
  std::vector<std::string> roles, results;
  for (const ArgumentSpec& argument : spec.arguments) roles.push_back(argument.role);
  std::string result;
  for (const ResultSpec& r : spec.results) {
    const std::string shape = fmt::format("{} ({})", r.name, fmt::join(r.dims, ", "));
    if (result.empty())
      result = shape;
    else
      result += r.optional ? fmt::format(", or with {}", shape) : ", " + shape;
  }
  return fmt::format("{}({}) -> {}", spec.entry, fmt::join(roles, ", "), result);
}

}  // namespace

int list_command(const Context& context) {
  const Ladder ladder = context.ladder();
  std::string text;
  for (const Exercise& exercise : ladder.exercises) {
    text += fmt::format("{}{}\n    {}\n    {}\n", exercise.spec.slug,
                        &exercise == &ladder.preferred() ? "  (the default)" : "", exercise.title,
                        call_text(exercise.spec));
    for (const Signature& signature : exercise.signatures) {
      if (signature.forms.empty()) continue;
      text += fmt::format("      --signature {:<10} {}\n", signature.name, call_text(signature.call));
    }
    for (const Spec& other : exercise.spec.also) text += fmt::format("    {}\n", call_text(other));
  }
  text += fmt::format("\nstart one:  attest new {}\n", ladder.preferred().spec.slug);
  print(text);
  return kAllPassed;
}

}  // namespace attest
