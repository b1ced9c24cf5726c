// attest list: the ladder, with what each rung asks for.
#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"
#include "grader/worker/signature.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

// What the call does not say: how its arguments are made.
std::string differences(const Signature& signature) {
  std::vector<std::string> notes;
  for (const ArgumentSpec& argument : signature.call.arguments) {
    if (!argument.dims.empty() && argument.dims[0] == "B")
      notes.push_back(fmt::format("{} ({})", argument.role, fmt::join(argument.dims, ", ")));
  }
  const auto any = [&](auto is) { return std::any_of(signature.forms.begin(), signature.forms.end(), is); };
  if (any([](const Form& form) { return form.is_transposed; })) notes.emplace_back("weights (out, in)");
  for (const auto& [kind, words] : {std::pair{Form::Mask::additive, "mask 0 or -inf"},
                                    {Form::Mask::visible, "mask True where a token sees"},
                                    {Form::Mask::hidden, "mask True where it does not"}}) {
    if (any([kind = kind](const Form& form) { return form.kind == Form::Kind::mask && form.mask == kind; }))
      notes.emplace_back(words);
  }
  return notes.empty() ? "" : fmt::format(": {}", fmt::join(notes, ", "));
}

std::string signatures_text(const Exercise& exercise) {
  std::string text;
  std::size_t width = 0;
  for (const Signature& signature : exercise.signatures) width = std::max(width, signature.name.size());
  for (const Signature& signature : exercise.signatures) {
    if (signature.forms.empty()) continue;
    text += fmt::format("      --signature {:<{}} {}{}\n", signature.name, width, call_text(signature.call),
                        differences(signature));
  }
  return text;
}

}  // namespace

int list_command(const Context& context) {
  const Ladder ladder = context.ladder();
  std::string text;
  for (const Exercise& exercise : ladder.exercises) {
    text += fmt::format("{}{}\n    {}\n    {}\n{}", exercise.spec.slug,
                        &exercise == &ladder.preferred() ? "  (the default)" : "", exercise.title,
                        promise_text(exercise.spec), signatures_text(exercise));
    for (const Spec& other : exercise.spec.also) text += fmt::format("    {}\n", promise_text(other));
  }
  text += fmt::format("\nstart one:  attest new {}\n", ladder.preferred().spec.slug);
  print(text);
  return kAllPassed;
}

}  // namespace attest
