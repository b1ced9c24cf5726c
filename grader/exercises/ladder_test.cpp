#include "grader/exercises/ladder.hpp"

#include "grader/exercises/nearest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace attest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<Property> three_properties() {
  std::vector<Property> known(3);
  known[0].id = "shape/fits";
  known[0].group = "shape";
  known[0].title = "the shape fits";
  known[1].id = "mask/hides";
  known[1].group = "mask";
  known[1].title = "the future is hidden";
  known[2].id = "scale/right";
  known[2].group = "scale";
  known[2].title = "the scale is right";
  return known;
}

constexpr const char* kExercise = R"([[exercise]]
slug = "first"
title = "The first"
folder = "01-first"
entry = "first"
subject = "attention"
symbols = ["T", "n", "d", "D = n d"]
arguments = [ {role="x", dims="T D"}, {role="n", integer="n"} ]
results = [ {name="y", dims="T D"}, {name="weights", dims="n T T", optional=true} ]
)";

constexpr const char* kProperties = R"(
  [[exercise.property]]
  id = "mask/hides"
  points = 60
  [[exercise.property]]
  id = "shape/fits"
  points = 40
)";

class LadderTest : public testing::Test {
 protected:
  LadderTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "01-first");
  }
  ~LadderTest() override { std::filesystem::remove_all(folder_); }

  Ladder read(const std::string& text) {
    std::ofstream(folder_ / "exercises.toml") << text;
    return read_ladder(folder_, known_);
  }
  std::string complaint(const std::string& text) {
    try {
      read(text);
    } catch (const LadderError& error) {
      return error.what();
    }
    return "accepted";
  }
  static std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("ladder_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::vector<Property> known_ = three_properties();
};

TEST_F(LadderTest, ARowBecomesASpecAndARubricInTheCataloguesOrder) {
  const Ladder ladder = read(std::string(kExercise) + kProperties);
  ASSERT_EQ(ladder.exercises.size(), 1u);
  const Exercise& first = ladder.exercises[0];
  EXPECT_EQ(first.spec.slug, "first");
  EXPECT_EQ(first.folder, folder_ / "01-first");
  EXPECT_THAT(first.spec.free_symbols(), ElementsAre("T", "n", "d"));
  EXPECT_TRUE(first.spec.argument("n")->integer);
  EXPECT_TRUE(first.spec.result("weights")->optional);
  EXPECT_FALSE(first.spec.result("y")->optional);
  ASSERT_EQ(first.rubric.size(), 2u);
  EXPECT_EQ(first.rubric[0].property->id, "shape/fits");
  EXPECT_EQ(first.rubric[0].title, "the shape fits");
  EXPECT_EQ(first.rubric[1].points, 60);
  EXPECT_EQ(first.rubric_sha256.size(), 64u);
  EXPECT_EQ(&ladder.preferred(), &first);
  EXPECT_EQ(ladder.find("second"), nullptr);
}

TEST_F(LadderTest, AnExercisesOwnNeedsHoldForEachRowButTheOneNamed) {
  const Ladder ladder = read(std::string(kExercise) + "needs = [\"shape/fits\"]\n" + kProperties);
  EXPECT_THAT(ladder.exercises[0].rubric[0].needs, IsEmpty());
  EXPECT_THAT(ladder.exercises[0].rubric[1].needs, ElementsAre("shape/fits"));
}

TEST_F(LadderTest, TheFingerprintChangesWithThePointsOnly) {
  const std::string once = read(std::string(kExercise) + kProperties).exercises[0].rubric_sha256;
  const std::string renamed = replaced(kExercise, "The first", "The one");
  EXPECT_EQ(read(renamed + kProperties).exercises[0].rubric_sha256, once);
  const std::string other = replaced(replaced(kProperties, "60", "70"), "40", "30");
  EXPECT_NE(read(kExercise + other).exercises[0].rubric_sha256, once);
}

TEST_F(LadderTest, AnUnknownPropertyIsNamedWithItsPlaceAndTheNearestOnes) {
  EXPECT_EQ(complaint(kExercise + replaced(kProperties, "mask/hides", "mask/hide")),
            "exercises.toml:12:8: exercise first, property: there is no property 'mask/hide'; did you mean "
            "'mask/hides'?");
}

TEST_F(LadderTest, WhatIsMissingOrWrongIsSaidWithWhatWasExpected) {
  const std::string whole = std::string(kExercise) + kProperties;
  EXPECT_THAT(complaint(replaced(whole, "entry = \"first\"\n", "")),
              HasSubstr("'entry' is missing; expected a text in quotes"));
  EXPECT_THAT(complaint(replaced(whole, "points = 60", "points = 50")),
              HasSubstr("sum to 90; they must sum to 100"));
  EXPECT_THAT(complaint(replaced(whole, "points = 60", "points = \"60\"")), HasSubstr("must be a number"));
  EXPECT_THAT(complaint(replaced(whole, "T D\"}, {role=\"n\"", "T DD\"}, {role=\"n\"")),
              HasSubstr("'DD' is not among the symbols"));
  EXPECT_THAT(complaint(replaced(whole, "subject", "subjekt")), HasSubstr("'subject' is missing"));
  EXPECT_THAT(complaint(replaced(whole, "title = ", "default = 1\ntitle = ")),
              HasSubstr("'default' must be true or false"));
  EXPECT_THAT(complaint(replaced(whole, "points = 60", "point = 3\n  points = 60")),
              HasSubstr("nothing reads the key 'point'"));
  EXPECT_THAT(complaint(replaced(whole, "01-first", "02-first")), HasSubstr("there is no folder '02-first'"));
  EXPECT_THAT(complaint(replaced(whole, "shape/fits", "mask/hides")), HasSubstr("stands here twice"));
  EXPECT_THAT(complaint(replaced(whole, "points = 60", "points = 60\n  follows = [\"scale\"]")),
              HasSubstr("does not have"));
  EXPECT_THAT(complaint(whole + whole), HasSubstr("taken by an exercise above"));
  EXPECT_THAT(complaint("[[exercise]\n"), StartsWith("exercises.toml:1:"));
}

TEST_F(LadderTest, AFailureCannotFollowFromItself) {
  std::string rows = replaced(kProperties, "points = 60", "points = 60\n  follows = [\"shape\"]");
  EXPECT_EQ(complaint(kExercise + rows), "accepted");
  rows = replaced(rows, "points = 40", "points = 40\n  follows = [\"mask/hides\"]");
  EXPECT_THAT(complaint(kExercise + rows), HasSubstr("'follows' leads back to itself"));
}

TEST_F(LadderTest, ASignatureIsMadeOfWhatTheExerciseHas) {
  const auto with = [&](const char* arguments) {
    return complaint(std::string(kExercise) +
                     "  [[exercise.signature]]\n  name = \"other\"\n  arguments = [ " + arguments + " ]\n" +
                     kProperties);
  };
  EXPECT_EQ(with("{role=\"x\", transposed=true}, {role=\"n\"}"), "accepted");
  EXPECT_THAT(with("{role=\"z\"}, {role=\"n\"}"), HasSubstr("there is no argument 'z'"));
  EXPECT_THAT(with("{role=\"x\"}"), HasSubstr("'n' does not reach the call"));
  EXPECT_THAT(with("{role=\"x\"}, {role=\"n\"}, {role=\"d_model\", integer=\"E\"}"),
              HasSubstr("'E' is not among the symbols"));
  EXPECT_THAT(with("{role=\"x\"}, {role=\"n\"}, {role=\"q\", product=[\"x\"]}"),
              HasSubstr("must name two arguments"));
  EXPECT_THAT(with("{role=\"x\"}, {role=\"n\"}, {role=\"mask\", mask=true}"),
              HasSubstr("'mask' must be a text in quotes"));
  EXPECT_THAT(with("{role=\"x\"}, {role=\"n\"}, {role=\"mask\", mask=\"lower\"}"),
              HasSubstr("must be one of \"additive\", \"visible\", \"hidden\""));
  EXPECT_THAT(with("{role=\"x\"}, {role=\"n\"}, {role=\"b\", bias=[\"x\"]}"),
              HasSubstr("'bias' names weights; 'x' is none"));
  EXPECT_THAT(with("{role=\"x\", list=true}, {role=\"n\"}"),
              HasSubstr("only what is 'per_head' can be a list"));
  EXPECT_THAT(with("{role=\"x\", transpose=true}, {role=\"n\"}"),
              HasSubstr("nothing reads the key 'transpose'; did you mean 'transposed'?"));
}

// What the worker is told (worker.py's build()), what is counted, and what people read.
TEST_F(LadderTest, ASignatureSaysHowTheCallIsMade) {
  const auto call = [&](const std::string& row) {
    const Ladder ladder =
        read(std::string(kExercise) + "  [[exercise.signature]]\n  name = \"other\"\n" + row + kProperties);
    return ladder.exercises[0].signatures.at(1).call.calling;
  };
  EXPECT_EQ(call("arguments = [ {role=\"n\"}, {role=\"x\"} ]\n").plan,
            "");  // a function of arrays and integers
  const Spec::Calling grouped = call(
      "arguments = [ {role=\"p\", dict=[ {role=\"x\"}, {role=\"m\", mask=\"hidden\"} ]}, {role=\"n\"}, "
      "{role=\"causal\", value=true} ]\n");
  EXPECT_EQ(grouped.plan, R"({"call":[["dict",{"x":0,"m":["bool",1]}],2,["value",true]]})");
  EXPECT_EQ(grouped.text, "first(p={x, m}, n, causal=True)");
  const Spec::Calling pair = call("arguments = [ {role=\"both\", tuple=[ {role=\"x\"}, {role=\"n\"} ]} ]\n");
  EXPECT_EQ(pair.plan, R"({"call":[["tuple",[0,1]]]})");
  EXPECT_EQ(pair.text, "first(both=(x, n))");
  const Spec::Calling object = call(
      "construct = [\"n\"]\nassign = [\"q.weight = x\"]\nmethod = \"forward\"\ncall = [\"x\"]\n"
      "arguments = [ {role=\"n\"}, {role=\"x\"} ]\n");
  EXPECT_EQ(object.plan, R"({"construct":[0],"assign":[["q.weight",1]],"method":"forward","call":[1]})");
  EXPECT_EQ(object.parameters, std::vector<std::string>{"n"});
  EXPECT_EQ(object.text, "first(n).forward(x) with q.weight set");
}

TEST_F(LadderTest, AdviceHasNoPoints) {
  const std::string advice = "  [[exercise.property]]\n  id = \"scale/right\"\n  kind = \"advice\"\n";
  const Ladder ladder = read(std::string(kExercise) + kProperties + advice);
  EXPECT_TRUE(ladder.exercises[0].rubric[2].advice);
  EXPECT_THAT(complaint(std::string(kExercise) + kProperties + advice + "  points = 1\n"),
              HasSubstr("advice earns no points"));
}

TEST_F(LadderTest, WhatMayBeImportedIsSaidForAllAndAgainForOne) {
  const std::string common = "[[imports]]\nrefused = [\"ctypes\"]\n";
  Imports read_for_one = read(common + kExercise + kProperties).exercises[0].spec.imports;
  EXPECT_THAT(read_for_one.packages, testing::ElementsAre("numpy"));
  EXPECT_THAT(read_for_one.refused, testing::ElementsAre("ctypes"));
  read_for_one =
      read(common + kExercise + "  [[exercise.imports]]\n  packages = [\"numpy\", \"scipy\"]\n" + kProperties)
          .exercises[0]
          .spec.imports;
  EXPECT_THAT(read_for_one.packages, testing::ElementsAre("numpy", "scipy"));
  EXPECT_THAT(read_for_one.refused, testing::ElementsAre("ctypes"));
  EXPECT_THROW(read("[[imports]]\nallowed = [\"numpy\"]\n" + std::string(kExercise) + kProperties),
               LadderError);
}

TEST(Ladder, TheOneThatIsShippedCanBeReadAndItsDefaultIsTheInterviewQuestion) {
  const Ladder ladder = read_ladder(ATTEST_SOURCE_EXERCISES, catalogue());
  const Exercise& multi_head = ladder.preferred();
  EXPECT_EQ(multi_head.spec.slug, "multi-head");
  const Spec& expected = multi_head_attention_spec();
  EXPECT_EQ(multi_head.spec.entry, expected.entry);
  ASSERT_EQ(multi_head.spec.arguments.size(), expected.arguments.size());
  for (std::size_t i = 0; i < expected.arguments.size(); ++i) {
    EXPECT_EQ(multi_head.spec.arguments[i].role, expected.arguments[i].role);
    EXPECT_EQ(multi_head.spec.arguments[i].dims, expected.arguments[i].dims);
  }
  // The comparison with the reference comes last and is the least of it.
  EXPECT_EQ(multi_head.rubric.back().property->id, "output/agrees-with-reference");
}

TEST(Ladder, LooksForItsFolderInTheHomeThatWasSetAndNowhereElse) {
  setenv("ATTEST_HOME", "/nowhere", 1);
  EXPECT_THROW(find_exercises("/bin/sh"), LadderError);
  unsetenv("ATTEST_HOME");
  EXPECT_EQ(find_exercises("/bin/sh"), std::filesystem::path(ATTEST_SOURCE_EXERCISES));
}

TEST(Nearest, OffersWhatIsCloseAndNothingElse) {
  const std::vector<std::string> known = {"multi-head", "causal-attention", "softmax"};
  EXPECT_THAT(nearest("multihead", known), ElementsAre("multi-head"));
  EXPECT_THAT(nearest("soft", known), ElementsAre("softmax"));
  EXPECT_THAT(nearest("zzz", known), IsEmpty());
  EXPECT_EQ(did_you_mean("sofmax", known), "; did you mean 'softmax'?");
  EXPECT_EQ(did_you_mean("", known), "");
  EXPECT_EQ(did_you_mean("sofmax", {"softmax", "softmax"}), "; did you mean 'softmax'?");
}

}  // namespace
}  // namespace attest
