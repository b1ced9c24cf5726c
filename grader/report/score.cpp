#include "grader/report/score.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace attest {
namespace {

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

using StandingOf = std::map<std::string_view, Standing>;

std::string first_missing(const std::vector<std::string>& needs, const StandingOf& standing_of) {
  for (const std::string& id : needs) {
    const Standing needed = standing_of.at(id);
    if (needed == Standing::failed || needed == Standing::not_judged) return id;
  }
  return {};
}

// One token, in one head where there are heads.
bool is_alone(const PropertyResult& result) {
  if (!result.counterexample) return false;
  const Extents& shape = result.counterexample->shape;
  const auto is_one = [&](std::string_view symbol) {
    const auto extent = shape.find(symbol);
    return extent == shape.end() || extent->second == 1;
  };
  return shape.contains("T") && is_one("T") && is_one("S") && is_one("n_heads");
}

// Whether what made `cause` fail can be what is seen in `effect`: no mask, no axis of a softmax and no mix-up of heads touches a
// token that is alone, so a failure that such a token shows has another cause, unless that one shows there as well.
bool can_show(const PropertyResult& cause, const PropertyResult& effect) {
  return !is_alone(effect) || is_alone(cause);
}

// Of the cases of a property that holds, the share that was answered.
double answered(const PropertyResult& result) {
  const double all = result.cases + result.left_out;
  return all > 0 ? result.cases / all : 1;
}

// The first failure that this one may follow from, or nothing. The ladder makes sure that there are no circles, so behind
// every consequence stands a failure that is paid for.
std::string cause_of(std::size_t row_number, std::span<const Rubric> rubric,
                     std::span<const PropertyResult> results, const std::vector<Standing>& standing) {
  const Rubric& row = rubric[row_number];
  const auto can_be_cause = [&](std::size_t i) {
    return standing[i] == Standing::failed && rubric[i].points > 0 && !rubric[i].advice &&
           can_show(results[i], results[row_number]);
  };
  // What is worth nothing by itself sees from another side what others are paid for.
  for (std::size_t i = 0; row.points == 0 && i < rubric.size(); ++i) {
    if (can_be_cause(i)) return std::string(rubric[i].property->id);
  }
  for (const std::string& name : row.follows) {
    for (std::size_t i = 0; i < rubric.size(); ++i) {
      const Property& other = *rubric[i].property;
      const bool is_named = other.id == name || (other.group == name && other.group != row.property->group);
      if (is_named && can_be_cause(i)) return std::string(other.id);
    }
  }
  return {};
}

}  // namespace

Standing standing(const PropertyResult& result) {
  if (is_failure(result.outcome)) return Standing::failed;
  if (result.outcome != Outcome::skipped) return Standing::held;  // fragile too: advice, not a loss
  if (!result.applies) return Standing::does_not_apply;
  return Standing::not_judged;
}

std::vector<Share> share_points(std::span<const Rubric> rubric, std::span<const PropertyResult> results) {
  if (rubric.size() != results.size())
    throw std::logic_error("share_points: one result for each row of the rubric");
  std::vector<Standing> standing;
  for (const PropertyResult& result : results) standing.push_back(attest::standing(result));
  const std::vector<double> possible = possible_points(rubric, standing);
  StandingOf standing_of;
  for (std::size_t i = 0; i < rubric.size(); ++i) standing_of[rubric[i].property->id] = standing[i];

  std::vector<Share> shares(rubric.size());
  double outright = 0, credited = 0;
  for (std::size_t i = 0; i < rubric.size(); ++i) {
    const Rubric& row = rubric[i];
    Share& share = shares[i];
    share.points.possible = possible[i];
    const std::string missing = first_missing(row.needs, standing_of);
    if (standing[i] == Standing::held) {
      if (missing.empty())
        outright += share.points.earned = possible[i] * answered(results[i]);
      else if (possible[i] > 0)
        share.waits_for = missing;
    } else if (standing[i] == Standing::failed) {
      share.follows_from = cause_of(i, rubric, results, standing);
      if (!share.follows_from.empty() && missing.empty()) credited += share.points.earned = possible[i];
    }
  }
  if (credited > outright) {
    for (std::size_t i = 0; i < rubric.size(); ++i) {
      if (!shares[i].follows_from.empty()) shares[i].points.earned *= outright / credited;
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
