// What is left out of a report is in none of its forms: every byte of them is searched for the numbers of the case.
#include "grader/report/detail.hpp"

#include "grader/report/approved.hpp"
#include "grader/report/guidance.hpp"
#include "grader/report/html.hpp"
#include "grader/report/json.hpp"
#include "grader/report/so_far.hpp"
#include "grader/report/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace attest {
namespace {

void expect_approved(const std::string& name, const std::string& text) {
  EXPECT_EQ(text, approved(name, text))
      << name << " differs; if the new text is better, run this test with ATTEST_BLESS=1";
}

constexpr const char* kToken = "a1:multi-head:float64:T.48611:d_head.1:n_heads.1:integers:s.9d3f";

// Numbers that stand in no report by chance.
constexpr Index kTokens = 48611;
const Tensor kInput{{2, 2}, {7.03125, 7.09375, 7.15625, 7.21875}},
    kShouldBe{{1, 2, 2}, {1, 0, 0.59375, 0.40625}}, kIs{{1, 2, 2}, {0.84375, 0.15625, 0.65625, 0.34375}},
    kEarlier{{1, 2}, {3.28125, 3.34375}};

const std::vector<std::string> kOfTheCase = {kToken,    "48611",   "7.03125", "7.0312",   "7.09375",
                                             "7.15625", "7.21875", "0.59375", "0.5938",   "0.40625",
                                             "0.84375", "0.15625", "0.65625", "0.34375",  "3.28125",
                                             "0.1875",  "--case",  "line 23", "20170613", "tokens from"};

PropertyReport failing(const char* id, const char* title, const char* group, Outcome outcome) {
  PropertyReport property;
  property.id = id;
  property.title = title;
  property.group = group;
  property.outcome = property.verdict.outcome = outcome;
  property.cases = 3;
  property.points = {0, 15};
  property.shape = {{"T", kTokens}};
  property.called_with = {{"w_qkv", kInput}};
  property.before = {{{{"T", kTokens}}, {{"x", kEarlier}}}};
  Evidence& evidence = property.verdict.evidence;
  evidence = {
      "row", 0, "weights", {0, kTokens}, 0.59375, 0.40625, 0.1875, 1e-16, "tokens from 48611 on removed",
      {},    9};
  evidence.compared["weights"] = {kShouldBe, kIs};
  Counterexample found;
  found.token = kToken;
  found.questions = {{{{"x", kInput}}}};
  property.counterexample = found;
  property.explanation = sentence(property);
  property.look_at = guidance(id).look_at;
  property.ask = fill_in(guidance(id).ask, property);
  property.reproduce = std::string("attest grade mine.py --case ") + kToken;
  return property;
}

// Everything that a report can hold.
Report full_report() {
  Report report;
  report.exercise = "multi-head";
  report.file = "mine.py";
  report.language = "python";
  report.sha256 = report.rubric_sha256 = std::string(64, 'a');
  report.outcome = Outcome::raised;
  report.score = Points{55, 100};
  report.output_tail = "it prints what it likes";
  report.seed = 20170613;
  report.cases = 812;
  PropertyReport raised =
      failing("output/shape", "every call gives an answer of the promised shape", "shape", Outcome::raised);
  raised.verdict.fault = {"IndexError: index 48611 is out of bounds", "mine.py", 12, "x[7.03125]"};
  raised.explanation = "your function raised IndexError: index 48611 is out of bounds (mine.py:12)";
  report.error = raised.verdict.fault;
  PropertyReport held;
  held.outcome = Outcome::passed;
  held.id = "values/first-row";
  held.title = "the first token's output is its own value, projected";
  held.group = "projections";
  held.cases = 200;
  held.points = {55, 55};
  PropertyReport fragile =
      failing("numerics/large-scores", "large scores give finite weights", "numerics", Outcome::fragile);
  PropertyReport advice =
      failing("scores/balanced-factors", "what w_q gains w_k may lose", "scale", Outcome::falsified);
  advice.advice = true;
  advice.points = {};
  PropertyReport skipped = held;
  skipped.id = "scores/log-ratios";
  skipped.group = "scale";
  skipped.outcome = Outcome::skipped;
  skipped.skip_reason = "weights/upper-triangle-zero failed";
  skipped.points = {0, 5};
  report.properties = {raised,
                       held,
                       failing("weights/upper-triangle-zero", "no token gives weight to a later one", "mask",
                               Outcome::falsified),
                       failing("state/deterministic", "the same call gives the same answer", "state",
                               Outcome::non_deterministic),
                       skipped,
                       fragile,
                       advice};
  for (const PropertyReport& property : {fragile, advice}) report.advice.push_back(as_advice(property));
  report.advice.push_back({"informative", "the file defines two functions; the harder one is graded"});
  BugReport bug{"mask-window",
                31,
                31,
                {{"window", 48611}},
                {{"tile-pad-counted", "padded keys score 0"}},
                "only the last keys are seen",
                "how many tokens does the last one see?",
                "hide what comes later, and nothing else",
                {"mask"}};
  report.diagnosis = {bug};
  report.known = {"right wherever T is 48611 or less"};
  report.location = LocationReport{"mask",  CodePlace{"k", "f", 22},
                                   "split", CodePlace{"s", "f", 23},
                                   false,   "`s` (line 23): mask; `k` (line 22) is right"};
  sum_up(report);
  return report;
}

std::vector<std::pair<std::string, std::string>> forms(const Report& report) {
  return {{"text", to_text(report, {})},
          {"text, all of it", to_text(report, {false, true, true, {}})},
          {"json", json_line(report)},
          {"html", html_record(report)}};  // the rest of the page is the same for all
}

TEST(Detail, NoNumberOfTheCaseIsLeftInAnyForm) {
  for (const Detail detail : {Detail::hint, Detail::verdict}) {
    for (const auto& [form, text] : forms(told(full_report(), detail))) {
      for (const std::string& number : kOfTheCase)
        EXPECT_EQ(text.find(number), std::string::npos)
            << to_string(detail) << ", " << form << " has " << number;
    }
  }
}

// What is searched for above can be found: each is somewhere in the full report.
TEST(Detail, TheFullReportHasThemAll) {
  std::string all;
  for (const auto& [form, text] : forms(told(full_report(), Detail::full))) all += text;
  for (const std::string& number : kOfTheCase) EXPECT_THAT(all, testing::HasSubstr(number));
}

TEST(Detail, AHintHasTheStatementTheQuestionAndTheCommandAndNoRemedy) {
  const Report report = told(full_report(), Detail::hint);
  const std::string text = to_text(report, {});
  for (const char* said : {"right so far:  projections",
                           "this must hold, and does not always: no token gives weight to a later one",
                           "ask yourself:  how many tokens does the last one see?",
                           "your function raised IndexError (mine.py:12)",
                           "next: attest hint multi-head --for mask-window --level 2"})
    EXPECT_THAT(text, testing::HasSubstr(said));
  for (const auto& [form, words] : forms(report)) {
    for (const char* remedy :
         {"hide what comes later", "only the last keys are seen", "padded keys", "look_at"})
      EXPECT_EQ(words.find(remedy), std::string::npos) << form << ": " << remedy;
  }
}

TEST(Detail, AVerdictHasResultsAndNothingThatLeadsOn) {
  const Report full = full_report(), report = told(full, Detail::verdict);
  ASSERT_EQ(report.properties.size(), full.properties.size());
  for (std::size_t i = 0; i < full.properties.size(); ++i) {
    EXPECT_EQ(report.properties[i].id, full.properties[i].id);
    EXPECT_EQ(report.properties[i].outcome, full.properties[i].outcome);
    EXPECT_EQ(report.properties[i].points.earned, full.properties[i].points.earned);
    EXPECT_EQ(report.properties[i].cases, full.properties[i].cases);
  }
  EXPECT_EQ(report.output_tail, full.output_tail);
  for (const auto& [form, words] : forms(report)) {
    for (const char* more : {"mask-window", "how many tokens", "attest hint", "what may token"})
      EXPECT_EQ(words.find(more), std::string::npos) << form << ": " << more;
  }
}

// Before any call there is no case: what is wrong with the file itself is told in full.
TEST(Detail, WhatIsWrongWithTheFileIsNoCase) {
  Report report;
  report.outcome = Outcome::import_error;
  report.error = Fault{"SyntaxError: expected ':'", "bad.py", 4, "  def f(x)"};
  report.first_message = "it cannot be loaded: SyntaxError: expected ':' (bad.py:4)";
  for (const Detail detail : {Detail::hint, Detail::verdict})
    EXPECT_EQ(to_text(told(report, detail), {}), to_text(report, {}));
}

TEST(Detail, AnExceptionIsToldByItsTypeOnly) {
  const std::pair<const char*, const char*> exceptions[] = {
      {"IndexError: index 3 is out of bounds", "IndexError"},
      {"std::out_of_range: 7 >= 3", "std::out_of_range"},
      {"numpy.linalg.LinAlgError: Singular matrix", "numpy.linalg.LinAlgError"},
      {"CASE_T1_D2: x", "an exception"},  // a type that the submission has made, of what it was given
      {"3.25: 4", "an exception"},
      {"x[0] is 3.25", "an exception"},
      {"KeyError", "KeyError"}};
  for (const auto& [message, type] : exceptions) {
    Report report = full_report();
    report.error->message = report.properties[0].verdict.fault.message = message;
    const Report stripped = told(report, Detail::verdict);
    EXPECT_EQ(stripped.properties[0].explanation,
              std::string("your function raised ") + type + " (mine.py:12)");
    EXPECT_EQ(stripped.error->message, std::string("your function raised ") + type);
    EXPECT_EQ(stripped.error->traceback, "");
  }
}

TEST(Detail, IsAsApproved) {
  for (const Detail detail : {Detail::hint, Detail::verdict}) {
    const std::string name = "detail_" + std::string(to_string(detail));
    const Report report = told(full_report(), detail);
    expect_approved(name + ".txt", to_text(report, {}));
    expect_approved(name + ".json", to_json(report).dump(2) + "\n");
  }
}

}  // namespace
}  // namespace attest
