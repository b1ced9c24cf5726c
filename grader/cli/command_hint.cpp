// attest hint: as much help as was asked for, and no more.
#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"
#include "grader/exercises/nearest.hpp"
#include "grader/submission/submission.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <array>

namespace attest {
namespace {

constexpr std::array<const char*, 3> kLevels = {"nudge", "pointer", "near_solution"};

std::string hint_of(const toml::table& hints, const HintCommand& command) {
  const auto level = static_cast<std::size_t>(command.level - 1);
  if (command.aspect.empty()) {
    const toml::array* general = hints["general"].as_array();
    if (general == nullptr || general->size() <= level) return {};
    return general->get(level)->value_or(std::string{});
  }
  std::vector<std::string> aspects;
  for (const auto& [key, value] : hints) {
    if (value.is_table()) aspects.emplace_back(key.str());
  }
  if (!hints[command.aspect].is_table()) {
    throw UsageError(fmt::format("there are no hints about '{}'{}; there are about {}", command.aspect,
                                 did_you_mean(command.aspect, aspects), fmt::join(aspects, ", ")));
  }
  return hints[command.aspect][kLevels[level]].value_or(std::string{});
}

}  // namespace

int hint_command(const HintCommand& command, const Context& context) {
  const Ladder ladder = context.ladder();
  const Exercise* exercise = command.slug.empty() ? &ladder.preferred() : ladder.find(command.slug);
  if (exercise == nullptr) {
    throw UsageError(fmt::format("there is no exercise '{}'{} (attest list shows all)", command.slug,
                                 did_you_mean(command.slug, ladder.slugs())));
  }
  toml::table hints;
  try {
    hints = toml::parse_file((exercise->folder / "hints.toml").string());
  } catch (const toml::parse_error& error) {
    throw LadderError(fmt::format("{}: hints.toml: {}", exercise->spec.slug, error.description()));
  }
  const std::string hint = hint_of(hints, command);
  if (hint.empty()) throw UsageError(fmt::format("{} has no such hint", exercise->spec.slug));
  std::string text = hint + "\n";
  if (command.level < static_cast<int>(kLevels.size())) {
    text += fmt::format("\nmore: attest hint {} --level {}{}\n", exercise->spec.slug, command.level + 1,
                        command.aspect.empty() ? "" : " --aspect " + command.aspect);
  }
  print(text);
  return kAllPassed;
}

}  // namespace attest
