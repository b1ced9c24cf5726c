#include "grader/report/score.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest {
namespace {

using testing::DoubleEq;

// Four properties in three groups, 100 points; every test changes what it is about.
class ScoreTest : public testing::Test {
 protected:
  ScoreTest() {
    const char* ids[] = {"shape/fits", "mask/hides", "mask/cuts", "scale/right"};
    const char* groups[] = {"shape", "mask", "mask", "scale"};
    const double points[] = {10, 40, 20, 30};
    properties_.resize(4);
    for (std::size_t i = 0; i < 4; ++i) {
      properties_[i].id = ids[i];
      properties_[i].group = groups[i];
      rubric_.push_back({&properties_[i], points[i], "", false, {}, {}});
      results_.emplace_back();
      results_.back().property = &properties_[i];
      results_.back().cases = 1;
    }
  }
  void skip(std::size_t row, bool applies) {
    results_[row].outcome = Outcome::skipped;
    results_[row].skip_reason = "for a reason";
    results_[row].applies = applies;
  }
  std::vector<Share> shares() const { return share_points(rubric_, results_); }
  double earned() const { return total(shares()).earned; }

  std::vector<Property> properties_;
  std::vector<Rubric> rubric_;
  std::vector<PropertyResult> results_;
};

// One case in four has no answer: 3/4 of 40.
TEST_F(ScoreTest, WhatHoldsForTheAnsweredCallsEarnsThatPart) {
  results_[1].cases = 3;
  results_[1].left_out = 1;
  EXPECT_THAT(shares()[1].points.earned, DoubleEq(30));
  EXPECT_THAT(earned(), DoubleEq(10 + 30 + 20 + 30));
}

TEST_F(ScoreTest, WhatHoldsEarnsItsPointsAndWhatFailsDoesNot) {
  EXPECT_THAT(earned(), DoubleEq(100));
  results_[1].outcome = Outcome::falsified;
  EXPECT_THAT(earned(), DoubleEq(60));
  results_[3].outcome = Outcome::crashed;
  EXPECT_THAT(earned(), DoubleEq(30));
  EXPECT_THAT(total(shares()).possible, DoubleEq(100));
}

TEST_F(ScoreTest, FragileCostsNothing) {
  results_[3].outcome = Outcome::fragile;
  EXPECT_THAT(earned(), DoubleEq(100));
}

TEST_F(ScoreTest, AConsequenceCostsNothingMore) {
  rubric_[2].follows = {"mask/hides"};
  results_[1].outcome = results_[2].outcome = Outcome::falsified;
  const auto s = shares();
  EXPECT_THAT(total(s).earned, DoubleEq(60));  // 10 + 30 outright, 20 credited
  EXPECT_EQ(s[2].follows_from, "mask/hides");
  EXPECT_EQ(s[1].follows_from, "");
}

TEST_F(ScoreTest, AConsequenceByItselfIsAFailureLikeAnyOther) {
  rubric_[2].follows = {"mask/hides"};
  results_[2].outcome = Outcome::falsified;
  EXPECT_THAT(earned(), DoubleEq(80));
  EXPECT_EQ(shares()[2].follows_from, "");
}

TEST_F(ScoreTest, AGroupMayBeTheCause) {
  rubric_[3].follows = {"mask"};
  results_[2].outcome = results_[3].outcome = Outcome::falsified;
  EXPECT_EQ(shares()[3].follows_from, "mask/cuts");
  EXPECT_THAT(earned(), DoubleEq(80));
}

TEST_F(ScoreTest, CreditNeverExceedsWhatWasEarnedOutright) {
  // All but the shape is wrong: 10 outright, 50 asked for in credit, 10 given in proportion.
  rubric_[2].follows = rubric_[3].follows = {"mask/hides"};
  for (std::size_t i = 1; i < 4; ++i) results_[i].outcome = Outcome::falsified;
  const auto s = shares();
  EXPECT_THAT(total(s).earned, DoubleEq(20));
  EXPECT_THAT(s[2].points.earned, DoubleEq(4));
  EXPECT_THAT(s[3].points.earned, DoubleEq(6));
}

TEST_F(ScoreTest, WhatHoldsWithoutWhatItNeedsEarnsNothing) {
  rubric_[1].needs = rubric_[2].needs = {"scale/right"};
  results_[3].outcome = Outcome::falsified;
  const auto s = shares();
  EXPECT_THAT(total(s).earned, DoubleEq(10));
  EXPECT_EQ(s[1].waits_for, "scale/right");
}

TEST_F(ScoreTest, WhatWasNotJudgedIsNotEarnedAndStaysPossible) {
  skip(1, true);
  const auto s = shares();
  EXPECT_THAT(total(s).earned, DoubleEq(60));
  EXPECT_THAT(s[1].points.possible, DoubleEq(40));
}

TEST_F(ScoreTest, WhatDoesNotApplyHandsItsPointsToItsGroup) {
  skip(1, false);
  const auto s = shares();
  EXPECT_THAT(s[2].points.earned, DoubleEq(60));
  EXPECT_THAT(s[1].points.possible, DoubleEq(0));
  EXPECT_THAT(total(s).possible, DoubleEq(100));
}

TEST_F(ScoreTest, AGroupOfWhichNothingAppliesHandsItsPointsToTheOthers) {
  skip(3, false);
  const auto s = shares();
  EXPECT_THAT(s[0].points.earned, DoubleEq(10 * 100 / 70.0));
  EXPECT_THAT(total(s).earned, DoubleEq(100));
}

TEST_F(ScoreTest, AdviceIsNeverACause) {
  rubric_[1].advice = true;
  rubric_[2].follows = {"mask/hides"};
  results_[1].outcome = results_[2].outcome = Outcome::falsified;
  EXPECT_EQ(shares()[2].follows_from, "");
}

}  // namespace
}  // namespace attest
