#include "grader/report/score.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace attest {
namespace {

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

std::vector<Standing> standings(std::span<const PropertyResult> results) {
  std::map<std::string_view, Standing> known;
  std::vector<Standing> all;
  for (const PropertyResult& result : results) {
    Standing own = Standing::held;                                   // fragile too: advice, not a loss
    if (is_failure(result.outcome)) own = Standing::failed;
    if (result.outcome == Outcome::skipped) {
      const bool blocked = std::any_of(
          result.property->prerequisites.begin(), result.property->prerequisites.end(), [&](std::string_view id) {
            const auto found = known.find(id);
            return found != known.end() && (found->second == Standing::failed || found->second == Standing::not_judged);
          });
      own = blocked || result.property->needs_weights ? Standing::not_judged : Standing::does_not_apply;
    }
    known[result.property->id] = own;
    all.push_back(own);
  }
  return all;
}

std::vector<Share> share_points(std::span<const Rubric> rubric, std::span<const PropertyResult> results) {
  if (rubric.size() != results.size()) throw std::logic_error("share_points: one result for each row of the rubric");
  const std::vector<Standing> standing = standings(results);
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
