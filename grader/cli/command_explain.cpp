// attest explain: a property or a bug, in full.
#include "grader/cli/commands.hpp"
#include "grader/cli/output.hpp"
#include "grader/exercises/nearest.hpp"
#include "grader/report/guidance.hpp"
#include "grader/submission/submission.hpp"
#include "properties/mutants/zoo.hpp"
#include "properties/property.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace attest {
namespace {

std::string list_all() {
  std::vector<std::string> groups;
  std::map<std::string, std::string> lines;
  std::size_t longest = 0;
  for (const Property& property : catalogue()) longest = std::max(longest, property.id.size());
  for (const Property& property : catalogue()) {
    const std::string group(property.group);
    if (!lines.contains(group)) groups.push_back(group);
    lines[group] += fmt::format("  {:<{}}  {}\n", property.id, longest, property.title);
  }
  std::string text;
  for (const std::string& group : groups) text += fmt::format("{}\n{}", group, lines[group]);
  longest = 0;
  for (const Mutant& bug : zoo()) longest = std::max(longest, bug.id.size());
  text += "bugs that are known by name\n";
  for (const Mutant& bug : zoo()) text += fmt::format("  {:<{}}  {}\n", bug.id, longest, bug.what);
  return text;
}

// Paragraphs of at most 78 columns, indented.
std::string wrapped(std::string_view words, std::string_view indent) {
  std::string text, line;
  std::size_t start = 0;
  while (start < words.size()) {
    const std::size_t end = std::min(words.find(' ', start), words.size());
    const std::string_view word = words.substr(start, end - start);
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > 78) {
      text += fmt::format("{}{}\n", indent, line);
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
    start = end + 1;
  }
  return text + fmt::format("{}{}\n", indent, line);
}

std::string explain(const Property& property) {
  std::string text = fmt::format("{}  ({})\n{}.\n\n", property.id, property.group, property.title);
  const auto section = [&](std::string_view heading, std::string_view words) {
    if (!words.empty()) text += fmt::format("{}\n{}", heading, wrapped(words, "  "));
  };
  section("what holds", property.formula);
  section("why", property.why);
  section("when it fails, look at", guidance(property.id).look_at);
  section("what it cannot see", property.blind_to);
  if (!property.prerequisites.empty()) {
    section("judged only when these hold", fmt::format("{}", fmt::join(property.prerequisites, ", ")));
  }
  return text;
}

std::string explain(const Mutant& bug) {
  std::string text = fmt::format("{}  ({})\n{}.\n\n", bug.id, bug.family, bug.what);
  const auto section = [&](std::string_view heading, std::string_view words) {
    if (!words.empty()) text += fmt::format("{}\n{}", heading, wrapped(words, "  "));
  };
  section("ask yourself", advice_about(bug).ask);
  section("instead", advice_about(bug).fix);
  section("found by", fmt::format("{}", fmt::join(bug.caught_by, ", ")));
  section("smallest input on which it shows",
          fmt::format("T = {}, d_model = {}, n_heads = {}", bug.minimal[0], bug.minimal[1], bug.minimal[2]));
  return text;
}

}  // namespace

int explain_command(const std::string& id, const Context&) {
  if (id.empty()) {
    print(list_all());
    return kAllPassed;
  }
  if (const Property* property = find_property(id)) {
    print(explain(*property));
    return kAllPassed;
  }
  if (const Mutant* bug = find_mutant(id)) {
    print(explain(*bug));
    return kAllPassed;
  }
  std::vector<std::string> ids, of_aspect;
  for (const Mutant& bug : zoo()) ids.emplace_back(bug.id);
  for (const Property& property : catalogue()) {
    ids.emplace_back(property.id);
    if (property.group == id) of_aspect.push_back(ids.back());
  }
  if (!of_aspect.empty()) {
    throw UsageError(
        fmt::format("'{}' is an aspect, and these are its properties: {}", id, fmt::join(of_aspect, ", ")));
  }
  throw UsageError(fmt::format("there is no property or bug '{}'{} (attest explain --list shows all)", id,
                               did_you_mean(id, ids)));
}

}  // namespace attest
