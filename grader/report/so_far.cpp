#include "grader/report/so_far.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace attest {
namespace {

// Stages by the names that a location has for them, and the aspects whose properties judge them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kAspectOfStage = {
    {{"project", "projections"},
     {"split", "heads"},
     {"scores", "scale"},
     {"scale", "scale"},
     {"mask", "mask"},
     {"softmax", "softmax"},
     {"mix", "projections"},
     {"merge", "heads"},
     {"output", "projections"}}};

// What should weigh less than this may well be 0: ordinary scores stay far above, others reach anything.
constexpr double kLeastWeight = 1e-30;

// Whether the mask may have a part in it: a token that is to be seen has weight 0 to the last bit, or one that comes later has any.
bool hides_the_wrong_ones(const PropertyReport& property) {
  const auto weights = property.verdict.evidence.compared.find("weights");
  if (weights == property.verdict.evidence.compared.end()) return false;
  const auto& [should, is] = weights->second;
  if (should.dims.size() < 2 || should.dims != is.dims) return false;
  const std::size_t keys = static_cast<std::size_t>(should.dims.back()),
                    queries = static_cast<std::size_t>(should.dims.end()[-2]);
  for (std::size_t k = 0; k < should.values.size(); ++k) {
    const bool comes_later = k % keys > k / keys % queries;
    if (comes_later ? std::abs(is.values[k]) > 0 : should.values[k] > kLeastWeight && is.values[k] == 0)
      return true;
  }
  return false;
}

// Aspects that something else than a failed property of theirs speaks against.
std::set<std::string_view> doubted(const Report& report) {
  std::set<std::string_view> aspects;
  for (const BugReport& bug : report.diagnosis) aspects.insert(bug.families.begin(), bug.families.end());
  if (report.location) {
    for (const auto& [stage, aspect] : kAspectOfStage) {
      if (stage == report.location->stage) aspects.insert(aspect);
    }
  }
  for (const PropertyReport& property : report.properties) {
    if (is_failure(property.outcome) && !property.is_warning && hides_the_wrong_ones(property))
      aspects.insert("mask");
  }
  return aspects;
}

// What was compared beside NaN is left out of comparisons, so that holding says little.
bool numbers_missing(const Report& report) {
  return std::any_of(report.properties.begin(), report.properties.end(), [](const PropertyReport& property) {
    return property.id == "output/finite" && is_failure(property.outcome);
  });
}

void sort_aspects(Report& report) {
  struct Standing {
    int held = 0, in_part = 0, waiting = 0, failed = 0, skipped = 0;
  };
  std::vector<std::string> order;
  std::map<std::string, Standing> standings;
  for (const PropertyReport& property : report.properties) {
    if (property.outcome == Outcome::skipped && property.points.possible == 0) continue;  // does not apply
    if (property.is_warning) continue;  // right answers may fail it
    const auto [at, is_new] = standings.try_emplace(property.group);
    if (is_new) order.push_back(property.group);
    Standing& standing = at->second;
    if (is_failure(property.outcome))
      ++standing.failed;
    else if (property.outcome == Outcome::skipped)
      ++standing.skipped;
    else if (report.score && held_in_part(property))
      ++standing.in_part;
    else  // what holds and waits for another property waits for points: without a score it is right
      ++(property.waits_for.empty() || !report.score ? standing.held : standing.waiting);
  }
  const std::set<std::string_view> against = doubted(report);
  for (const std::string& aspect : order) {
    const Standing& standing = standings.at(aspect);
    if (standing.failed > 0) continue;
    if (standing.skipped + standing.in_part > 0)
      (standing.held + standing.in_part + standing.waiting > 0 ? report.judged_in_part : report.not_judged)
          .push_back(aspect);
    else if (standing.waiting == 0 && !against.contains(aspect))
      report.right_so_far.push_back(aspect);
  }
}

// The bug that was named, or the aspect of the first failure. Its question stands in the report: the next level says more.
std::string next_hint(const Report& report) {
  if (!report.first_message.empty()) return {};
  const std::string command = "attest hint " + report.exercise;
  if (!report.diagnosis.empty()) {
    const BugReport& bug = report.diagnosis.front();
    return fmt::format("{} --for {}{}", command, bug.bug, bug.ask.empty() ? "" : " --level 2");
  }
  const auto first =
      std::find_if(report.properties.begin(), report.properties.end(), [](const PropertyReport& property) {
        return is_failure(property.outcome) && !property.advice && property.follows_from.empty();
      });
  const bool answered = first != report.properties.end() && first->verdict.fault.message.empty();
  if (!answered) return {};
  // Numbers that are missing, and the comparison of everything, say nothing about an aspect.
  const bool of_an_aspect = first->id != "output/finite" && first->id != "output/agrees-with-reference";
  return command + (of_an_aspect ? " --aspect " + first->group : "");
}

}  // namespace

void sum_up(Report& report) {
  report.right_so_far.clear();
  report.not_judged.clear();
  report.judged_in_part.clear();
  if (!numbers_missing(report)) sort_aspects(report);
  report.hint = next_hint(report);
}

}  // namespace attest
