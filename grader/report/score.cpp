#include "grader/report/score.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

namespace attest {
namespace {

// run() gives its reasons in words; these are the ones that are not about the submission.
constexpr std::array<std::string_view, 3> kDoesNotApply = {"it does not apply", "it needs the reference",
                                                           "this exercise has no weights"};

bool names(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// The points that each row can earn once those of rows that do not apply have been handed on.
std::vector<double> possible_points(std::span<const Rubric> rubric, const std::vector<Standing>& standing) {
  std::map<std::string_view, double> of_group, applicable_of_group;
  double all = 0;
  double in_living_groups = 0;
  for (std::size_t i = 0; i < rubric.size(); ++i) {
    of_group[rubric[i].property->group] += rubric[i].points;
    if (standing[i] != Standing::does_not_apply) {
      applicable_of_group[rubric[i].property->group] += rubric[i].points;
    }
  }
  for (const auto& [group, points] : of_group) {
    all += points;
    if (applicable_of_group[group] > 0) in_living_groups += points;
  }
  std::vector<double> possible(rubric.size(), 0);
  for (std::size_t i = 0; i < rubric.size(); ++i) {
    const std::string_view group = rubric[i].property->group;
    if (standing[i] == Standing::does_not_apply || rubric[i].points == 0) continue;
    const double within = of_group[group] / applicable_of_group[group];
    possible[i] = rubric[i].points * within * (all / in_living_groups);
  }
  return possible;
}

}  // namespace

Standing standing(const PropertyResult& result) {
  if (is_failure(result.outcome)) return Standing::failed;
  if (result.outcome != Outcome::skipped) return Standing::held;   // fragile too: advice, not a loss
  for (const std::string_view reason : kDoesNotApply) {
    if (result.skip_reason.starts_with(reason)) return Standing::does_not_apply;
  }
  return Standing::not_judged;
}

std::vector<Share> share_points(std::span<const Rubric> rubric, std::span<const PropertyResult> results) {
  if (rubric.size() != results.size()) throw std::logic_error("share_points: one result for each row of the rubric");
  std::vector<Standing> standing;
  for (const PropertyResult& result : results) standing.push_back(attest::standing(result));
  const std::vector<double> possible = possible_points(rubric, standing);
  std::map<std::string_view, Standing> standing_of;
  for (std::size_t i = 0; i < rubric.size(); ++i) standing_of[rubric[i].property->id] = standing[i];

  std::vector<Share> shares(rubric.size());
  std::vector<const Property*> costing;   // failures that are paid for, in the order of judging
  for (std::size_t i = 0; i < rubric.size(); ++i) {
    const Rubric& row = rubric[i];
    Share& share = shares[i];
    share.points.possible = possible[i];
    std::string missing;   // something that it needs and that does not hold
    for (const std::string& id : row.needs) {
      const Standing needed = standing_of.at(id);
      if (needed != Standing::held && needed != Standing::does_not_apply && missing.empty()) missing = id;
    }
    switch (standing[i]) {
      case Standing::held:
        if (missing.empty()) share.points.earned = possible[i];
        else share.waits_for = missing;
        break;
      case Standing::failed: {
        const auto cause = std::find_if(costing.begin(), costing.end(), [&](const Property* p) {
          return names(row.follows, p->id) || names(row.follows, p->group);
        });
        if (cause == costing.end()) {
          if (!row.advice) costing.push_back(row.property);
        } else {
          share.follows_from = (*cause)->id;
          if (missing.empty()) share.points.earned = possible[i];
        }
        break;
      }
      case Standing::not_judged:
      case Standing::does_not_apply:
        break;
    }
  }
  return shares;
}

Points total(std::span<const Share> shares) {
  Points sum;
  for (const Share& share : shares) {
    sum.earned += share.points.earned;
    sum.possible += share.points.possible;
  }
  return sum;
}

}  // namespace attest
