// Made by hand: which aspects may be called right, and where help is.
#include "grader/report/so_far.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PropertyReport row(const char* id, const char* group, Outcome outcome) {
  PropertyReport property;
  property.id = id;
  property.group = group;
  property.outcome = property.verdict.outcome = outcome;
  property.points = {outcome == Outcome::passed ? 5.0 : 0.0, 5};
  return property;
}

// One aspect failed, the others hold.
Report softmax_failed() {
  Report report;
  report.exercise = "multi-head";
  report.properties = {row("values/first-row", "projections", Outcome::passed),
                       row("heads/influence-map", "heads", Outcome::passed),
                       row("weights/rows-sum-to-one", "softmax", Outcome::falsified),
                       row("weights/upper-triangle-zero", "mask", Outcome::passed),
                       row("scores/scaled-by-d-head", "scale", Outcome::passed),
                       row("numerics/large-scores", "numerics", Outcome::fragile)};
  return report;
}

std::vector<std::string> right(Report report) {
  sum_up(report);
  return report.right_so_far;
}

TEST(SoFar, WhatHoldsIsRight) {
  EXPECT_THAT(right(softmax_failed()), ElementsAre("projections", "heads", "mask", "scale", "numerics"));
}

TEST(SoFar, TheFirstWrongStageIsNotRightSoFar) {
  const std::pair<const char*, const char*> stages[] = {
      {"project", "projections"}, {"split", "heads"},     {"scores", "scale"}, {"scale", "scale"},
      {"mask", "mask"},           {"mix", "projections"}, {"merge", "heads"},  {"output", "projections"}};
  for (const auto& [stage, aspect] : stages) {
    Report report = softmax_failed();
    report.location.emplace().stage = stage;
    const auto aspects = right(report);
    EXPECT_EQ(std::count(aspects.begin(), aspects.end(), aspect), 0) << stage;
    EXPECT_EQ(aspects.size(), 4u) << stage;
  }
}

// A window: token 1 may see token 0, and gives it no weight at all. A mask that was made for one token: token 0 sees token 1.
TEST(SoFar, TheMaskIsNotRightWhereTheWrongTokensAreHidden) {
  Report report = softmax_failed();
  const Tensor should{{1, 2, 2}, {1, 0, 0.5, 0.5}};
  auto& compared = report.properties[2].verdict.evidence.compared;
  compared["weights"] = {should, {{1, 2, 2}, {1, 0, 0, 1}}};
  EXPECT_THAT(right(report), ElementsAre("projections", "heads", "scale", "numerics"));
  compared["weights"] = {should, {{1, 2, 2}, {0.5, 0.5, 0.5, 0.5}}};
  EXPECT_THAT(right(report), ElementsAre("projections", "heads", "scale", "numerics"));
  compared["weights"] = {should, {{1, 2, 2}, {std::nan(""), std::nan(""), 1e-300, 1}}};
  EXPECT_THAT(right(report), ElementsAre("projections", "heads", "mask", "scale", "numerics"));
}

TEST(SoFar, WhatIsNamedIsNotRight) {
  Report report = softmax_failed();
  report.diagnosis.emplace_back().families = {"mask"};
  EXPECT_THAT(right(report), ElementsAre("projections", "heads", "scale", "numerics"));
}

TEST(SoFar, WhatWasNotJudgedIsSaidToBeSo) {
  Report report = softmax_failed();
  report.properties.push_back(row("scores/log-ratios", "scale", Outcome::skipped));
  report.properties[5].outcome = Outcome::skipped;
  PropertyReport other = row("state/memory-order", "state", Outcome::skipped);
  other.points.possible = 0;  // does not apply
  report.properties.push_back(other);
  sum_up(report);
  EXPECT_THAT(report.right_so_far, ElementsAre("projections", "heads", "mask"));
  EXPECT_THAT(report.not_judged, ElementsAre("numerics"));
  EXPECT_THAT(report.judged_in_part, ElementsAre("scale"));
}

TEST(SoFar, WhatEarnsNothingYetIsNotRightYet) {
  Report report = softmax_failed();
  report.properties[4].waits_for = "scores/attend";
  EXPECT_THAT(right(report),
              ElementsAre("projections", "heads", "mask", "scale", "numerics"));  // of one case
  report.score = Points{50, 100};
  EXPECT_THAT(right(report), ElementsAre("projections", "heads", "mask", "numerics"));
}

TEST(SoFar, AWarningSaysNothingAgainstItsAspect) {
  Report report = softmax_failed();
  PropertyReport warning = row("causality/hidden-nan", "mask", Outcome::falsified);
  warning.advice = warning.is_warning = true;
  report.properties.push_back(warning);
  EXPECT_THAT(right(report), ElementsAre("projections", "heads", "mask", "scale", "numerics"));
}

TEST(SoFar, BesideMissingNumbersHoldingSaysLittle) {
  Report report = softmax_failed();
  report.properties.push_back(row("output/finite", "shape", Outcome::falsified));
  EXPECT_THAT(right(report), IsEmpty());
}

TEST(SoFar, TheHintGoesOnWhereTheReportEnds) {
  Report report = softmax_failed();
  sum_up(report);
  EXPECT_EQ(report.hint, "attest hint multi-head --aspect softmax");
  report.diagnosis.emplace_back().bug = "mask-none";
  sum_up(report);
  EXPECT_EQ(report.hint, "attest hint multi-head --for mask-none");
  report.diagnosis.front().ask = "what may token 0 see?";  // level 1 would ask it again
  sum_up(report);
  EXPECT_EQ(report.hint, "attest hint multi-head --for mask-none --level 2");
  report.diagnosis.clear();
  report.properties[2].verdict.fault.message = "IndexError";  // says more than any hint
  sum_up(report);
  EXPECT_EQ(report.hint, "");
}

}  // namespace
}  // namespace attest
