// attest list: the ladder, with what each rung asks for.
#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"
#include "grader/worker/signature.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attest {
namespace {

// The call, and what comes of it.
std::string promise_text(const Spec& spec) {
  std::string result;
  for (const ResultSpec& r : spec.results) {
    const std::string shape = fmt::format("{} ({})", r.name, fmt::join(r.dims, ", "));
    if (result.empty())
      result = shape;
    else
      result += r.optional ? fmt::format(", or with {}", shape) : ", " + shape;
  }
  return call_text(spec) + " -> " + result;
}

}  // namespace

int list_command(const Context& context) {
  const Ladder ladder = context.ladder();
  std::string text;
  for (const Exercise& exercise : ladder.exercises) {
    text += fmt::format("{}{}\n    {}\n    {}\n", exercise.spec.slug,
                        &exercise == &ladder.preferred() ? "  (the default)" : "", exercise.title,
                        promise_text(exercise.spec));
    for (const Signature& signature : exercise.signatures) {
      if (signature.forms.empty()) continue;
      text += fmt::format("      --signature {:<10} {}\n", signature.name, promise_text(signature.call));
    }
    for (const Spec& other : exercise.spec.also) text += fmt::format("    {}\n", promise_text(other));
  }
  text += fmt::format("\nstart one:  attest new {}\n", ladder.preferred().spec.slug);
  print(text);
  return kAllPassed;
}

}  // namespace attest
