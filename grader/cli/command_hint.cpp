// attest hint: as much help as was asked for, and no more.
#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"
#include "grader/exercises/nearest.hpp"
#include "grader/submission/submission.hpp"
#include "properties/mutants/zoo.hpp"

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

// "mask-none+scale-missing": both.
std::vector<const Mutant*> named_bugs(const std::string& names) {
  std::vector<const Mutant*> bugs;
  std::size_t start = 0;
  while (start <= names.size()) {
    const std::size_t end = std::min(names.find('+', start), names.size());
    const std::string id = names.substr(start, end - start);
    bugs.push_back(find_mutant(id));
    if (bugs.back() == nullptr) {
      std::vector<std::string> ids;
      for (const Mutant& mutant : zoo()) ids.emplace_back(mutant.id);
      throw UsageError(
          fmt::format("there is no bug '{}'{} (attest explain --list shows all)", id, did_you_mean(id, ids)));
    }
    start = end + 1;
  }
  return bugs;
}

std::string hint_about(const Mutant& bug, int level) {
  const BugAdvice& advice = advice_about(bug);
  if (level == 1) return fmt::format("Ask yourself: {}", advice.ask);
  if (level == 2) return fmt::format("What it does: {}.", bug.what);
  return fmt::format("Instead: {}.", advice.fix);
}

}  // namespace

int hint_command(const HintCommand& command, const Context& context) {
  const Ladder ladder = context.ladder();
  const Exercise* exercise = command.slug.empty() ? &ladder.preferred() : ladder.find(command.slug);
  if (exercise == nullptr) {
    throw UsageError(fmt::format("there is no exercise '{}'{} (attest list shows all)", command.slug,
                                 did_you_mean(command.slug, ladder.slugs())));
  }
  const auto more = [&](const std::string& about) {
    return command.level < static_cast<int>(kLevels.size())
               ? fmt::format("\nmore: attest hint {} --level {}{}\n", exercise->spec.slug, command.level + 1,
                             about)
               : "";
  };
  if (!command.bug.empty()) {
    if (!command.aspect.empty())
      throw UsageError("--for and --aspect exclude each other: name the bug, or the aspect");
    std::string text;
    for (const Mutant* bug : named_bugs(command.bug)) text += hint_about(*bug, command.level) + "\n";
    print(text + more(" --for " + command.bug));
    return kAllPassed;
  }
  toml::table hints;
  try {
    hints = toml::parse_file((exercise->folder / "hints.toml").string());
  } catch (const toml::parse_error& error) {
    throw LadderError(fmt::format("{}: hints.toml: {}", exercise->spec.slug, error.description()));
  }
  const std::string hint = hint_of(hints, command);
  if (hint.empty()) throw UsageError(fmt::format("{} has no such hint", exercise->spec.slug));
  print(hint + "\n" + more(command.aspect.empty() ? "" : " --aspect " + command.aspect));
  return kAllPassed;
}

}  // namespace attest
