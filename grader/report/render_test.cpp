// Each report below is made by hand, rendered, and compared with a file in testdata/approved that a person has read.
#include "grader/report/approved.hpp"
#include "grader/report/guidance.hpp"
#include "grader/report/json.hpp"
#include "grader/report/matrices.hpp"
#include "grader/report/numbers.hpp"
#include "grader/report/so_far.hpp"
#include "grader/report/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

void expect_approved(const std::string& name, const std::string& text) {
  EXPECT_EQ(text, approved(name, text))
      << name << " differs; if the new text is better, run this test with ATTEST_BLESS=1";
}

std::string pretty(const Report& report) { return to_json(report).dump(2) + "\n"; }

Tensor tensor(Dims dims, std::vector<double> values) { return {std::move(dims), std::move(values)}; }

PropertyReport held(const char* id, const char* title, const char* group, double points) {
  PropertyReport p;
  p.id = id;
  p.title = title;
  p.group = group;
  p.cases = 200;
  p.points = {points, points};
  return p;
}

Report base(const char* file, const char* language) {
  Report report;
  report.exercise = "multi-head";
  report.file = file;
  report.language = language;
  report.sha256 = std::string(64, 'a');
  report.seed = 20170612;
  report.cases = 1234;
  report.wall_ms = 512.34;
  report.isolation = {"strict", {"seccomp", "landlock"}};
  report.rubric_sha256 = std::string(64, 'b');
  report.environment = {"3.11.2", "1.24.2", "", "", ""};
  report.properties = {
      held("output/shape", "results have the promised shapes", "shape", 10),
      held("values/first-row", "the first token's output is its own value, projected", "projections", 20)};
  return report;
}

// The example of the style guide: hidden weights zeroed after the softmax.
Report mask_after_softmax() {
  Report report = base("mine.py", "python");
  report.outcome = Outcome::falsified;
  report.score = Points{62.5, 100};
  PropertyReport rows = held("weights/rows-sum-to-one", "every row of the weights sums to 1", "softmax", 30);
  rows.outcome = Outcome::falsified;
  rows.points.earned = 0;
  rows.shape = {{"T", 2}, {"n_heads", 1}, {"d_head", 1}, {"d_model", 1}};
  Evidence& evidence = rows.verdict.evidence;
  rows.verdict.outcome = Outcome::falsified;
  evidence.tensor = "weights";
  evidence.index = {0, 0};
  evidence.expected = 1;
  evidence.actual = evidence.error = 0.5;
  evidence.bound = 3.3e-16;
  evidence.compared["weights"] = {tensor({1, 2, 2}, {1, 0, 0.5, 0.5}), tensor({1, 2, 2}, {0.5, 0, 0.5, 0.5})};
  evidence.compared["y"] = {tensor({2, 1}, {1, 1}), tensor({2, 1}, {0.5, 1})};
  Counterexample found;
  found.token = "a1:multi-head:float64:T.2:d_head.1:n_heads.1:signs:s.0:z.w_q";
  const Tensor one = tensor({1, 1}, {1}), zero = tensor({1, 1}, {0});
  found.questions = {{{{"x", tensor({2, 1}, {1, 1})},
                       {"w_q", zero},
                       {"w_k", zero},
                       {"w_v", one},
                       {"w_o", one},
                       {"n_heads", tensor({}, {1}), true}}}};
  found.irrelevant = {"w_v", "w_o"};
  found.evaluations = 28;
  found.case_number = 2;
  rows.counterexample = found;
  rows.explanation = sentence(rows);
  rows.look_at = guidance(rows.id).look_at;
  rows.ask = fill_in(guidance(rows.id).ask, rows);
  rows.reproduce = "attest grade mine.py --case " + found.token;
  report.properties.push_back(rows);

  PropertyReport cut =
      held("causality/truncation-invariance", "appending tokens changes nothing", "mask", 20);
  cut.outcome = Outcome::falsified;
  cut.follows_from = rows.id;
  cut.points.earned = 12.5;
  cut.verdict.outcome = Outcome::falsified;
  cut.verdict.evidence = {"prefix", 0, "y", {0, 0}, 1, 0.5, 0.5, 1e-15, "tokens from 1 on removed", {}, 0};
  cut.explanation = sentence(cut);
  report.properties.push_back(cut);

  PropertyReport ratios =
      held("scores/log-ratios", "ratios of weights are exponentials of differences of scores", "scale", 20);
  ratios.outcome = Outcome::skipped;
  ratios.skip_reason = "weights/rows-sum-to-one failed";
  ratios.points.earned = 0;
  ratios.cases = 0;
  report.properties.push_back(ratios);
  report.location =
      LocationReport{"mask",  CodePlace{"k", "causal_multi_head_attention", 11},
                     "split", CodePlace{"scores", "causal_multi_head_attention", 12},
                     true,    "after `scores` (line 12) the mask is missing; `k` (line 11) is right"};
  sum_up(report);
  return report;
}

Report passed() {
  Report report = base("mine.cpp", "cpp");
  report.outcome = Outcome::passed;
  report.score = Points{100, 100};
  report.environment.compiler = "clang 14.0.6";
  PropertyReport fragile = held("numerics/large-scores", "large scores are no trouble", "numerics", 10);
  fragile.outcome = Outcome::fragile;
  fragile.verdict.outcome = Outcome::falsified;
  fragile.verdict.evidence = {"sum", 0, "weights", {0, 1}, 1,   std::numeric_limits<double>::quiet_NaN(),
                              0,     0, "",        {},     1e10};
  fragile.explanation = sentence(fragile);
  report.properties.push_back(fragile);
  report.advice.push_back({"actionable", "fragile, but no points lost: " + fragile.explanation});
  return report;
}

Report crashed() {
  Report report = base("bad.py", "python");
  report.outcome = Outcome::raised;
  report.score = Points{0, 100};
  report.output_tail = "here\nand there";
  report.properties.resize(1);
  PropertyReport& shape = report.properties[0];
  shape.outcome = shape.verdict.outcome = Outcome::raised;
  shape.points.earned = 0;
  shape.verdict.fault = {"IndexError: index 3 is out of bounds", "bad.py", 12,
                         "Traceback:\n  bad.py:12 in f\n    x[3]"};
  shape.explanation = "your function raised IndexError: index 3 is out of bounds (bad.py:12)";
  Counterexample found;
  found.token = "a1:multi-head:float64:T.1:d_head.1:n_heads.1:zeros:s.0";
  found.questions = {{{{"x", tensor({1, 1}, {0})}}}};
  shape.counterexample = found;
  shape.shape = {{"T", 1}, {"n_heads", 1}, {"d_head", 1}, {"d_model", 1}};
  shape.reproduce = "attest grade bad.py --case " + found.token;
  report.error = shape.verdict.fault;
  return report;
}

Report syntax_error() {
  Report report;
  report.file = "bad.py";
  report.language = "python";
  report.sha256 = std::string(64, 'c');
  report.outcome = Outcome::import_error;
  report.score = Points{0, 100};
  report.error =
      Fault{"SyntaxError: expected ':'", "bad.py", 4, "  bad.py, line 4\n    def f(x)\n            ^"};
  report.first_message = "it cannot be loaded: SyntaxError: expected ':' (bad.py:4)";
  return report;
}

Report untouched() {
  Report report = base("multi_head.py", "python");
  report.outcome = Outcome::unfinished;
  report.score = Points{0, 100};
  report.properties.clear();
  report.error = Fault{"NotImplementedError: nothing here yet", "multi_head.py", 17, "Traceback"};
  report.first_message =
      "This is the untouched stub: causal_multi_head_attention is not written yet (line 17). Nothing is "
      "wrong "
      "with it, and nothing can be judged.";
  report.advice.push_back({"actionable", "next: attest hint multi-head"});
  return report;
}

Report internal_error() {
  Report report = base("mine.py", "python");
  report.outcome = Outcome::internal_error;
  report.properties.clear();
  report.error = Fault{"no process could be started", "", 0, ""};
  report.first_message = "attest itself failed, and nothing was judged: no process could be started";
  return report;
}

// Right alone and as the first call; after a call with more tokens, wrong.
Report remembers() {
  Report report = base("mine.py", "python");
  report.outcome = Outcome::falsified;
  report.score = Points{92.5, 100};
  PropertyReport history = held("state/history", "earlier calls do not change a later one", "state", 7.5);
  history.outcome = history.verdict.outcome = Outcome::falsified;
  history.points.earned = 0;
  history.shape = {{"T", 1}, {"n_heads", 1}, {"d_head", 1}, {"d_model", 1}};
  Evidence& evidence = history.verdict.evidence;
  evidence = {
      "history", 1, "y", {0, 0}, 1, 2, 1, 4e-16, "after calls with other inputs, against a fresh start",
      {},        0};
  evidence.compared["y"] = {tensor({1, 1}, {1}), tensor({1, 1}, {2})};
  const Tensor one = tensor({1, 1}, {1});
  const Arguments own = {{"x", one}, {"w_q", one}, {"n_heads", tensor({}, {1}), true}};
  Arguments earlier = own;
  earlier[0].tensor = tensor({2, 1}, {3, -4});
  history.before = {{{{"T", 2}, {"n_heads", 1}, {"d_head", 1}, {"d_model", 1}}, earlier}};
  Counterexample found;
  found.token = "a1:multi-head:float64:T.1:d_head.1:n_heads.1:signs:s.0";
  found.questions = {{earlier}, {own}, {own}};
  history.counterexample = found;
  history.explanation = sentence(history);
  history.reproduce = "attest grade mine.py --case " + found.token;
  report.properties.push_back(history);
  sum_up(report);
  return report;
}

TEST(Text, IsAsApproved) {
  expect_approved("remembers.txt", to_text(remembers(), {}));
  expect_approved("mask_after_softmax.txt", to_text(mask_after_softmax(), {}));
  expect_approved("mask_after_softmax_all.txt", to_text(mask_after_softmax(), {false, true, true, {}}));
  expect_approved("mask_after_softmax_colour.txt", to_text(mask_after_softmax(), {true, false, false, {}}));
  expect_approved("passed.txt", to_text(passed(), {}));
  expect_approved("raised.txt", to_text(crashed(), {}));
  expect_approved("syntax_error.txt", to_text(syntax_error(), {}));
  expect_approved("untouched.txt", to_text(untouched(), {}));
  expect_approved("internal_error.txt", to_text(internal_error(), {}));
}

TEST(Json, IsAsApproved) {
  expect_approved("remembers.json", pretty(remembers()));
  expect_approved("mask_after_softmax.json", pretty(mask_after_softmax()));
  expect_approved("passed.json", pretty(passed()));
  expect_approved("raised.json", pretty(crashed()));
  expect_approved("syntax_error.json", pretty(syntax_error()));
  expect_approved("untouched.json", pretty(untouched()));
  expect_approved("internal_error.json", pretty(internal_error()));
}

TEST(Json, WritesTheShortestNumberOfTheDtype) {
  const double tenth = static_cast<double>(0.1f);
  EXPECT_EQ(to_json(tensor({1}, {tenth}), Dtype::float32).dump(), "[0.1]");
  EXPECT_EQ(to_json(tensor({1}, {tenth}), Dtype::float64).dump(), "[0.10000000149011612]");
  EXPECT_EQ(to_json(tensor({}, {1e300}), Dtype::float64).dump(), "1e+300");
}

TEST(Json, WritesWhatJsonHasNoNumberForAsText) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_json(tensor({2, 2}, {inf, -inf, std::nan(""), 0}), Dtype::float64).dump(),
            R"([["Infinity","-Infinity"],["NaN",0.0]])");
}

TEST(Json, LeavesLargeInputsOutAndCountsThem) {
  Report report = mask_after_softmax();
  report.properties[2].counterexample->questions[0].arguments = {{"x", Tensor::zeros({4097, 1})}};
  const auto json = to_json(report)["properties"][2]["counterexample"];
  EXPECT_FALSE(json.contains("inputs"));
  EXPECT_EQ(json["inputs_omitted"], 4097);
}

TEST(Json, IsValidWhateverTheSubmissionSaid) {
  Report report = crashed();
  report.error->message = "\x1b[31m\xff\xfe ok";
  report.output_tail = std::string("a\0b\x07", 4);
  const std::string line = json_line(report);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["error"]["message"], "[31m\xEF\xBF\xBD\xEF\xBF\xBD ok");
  EXPECT_EQ(json["output_tail"], "ab");
}

TEST(Numbers, AreShownExactlyWhenSmallAndTellApartWhatDiffers) {
  EXPECT_EQ(number_text(1), "1");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(2.0 / 3), "0.6667");
  EXPECT_EQ(number_text(1e20), "1e+20");
  EXPECT_EQ(number_text(std::nan("")), "nan");
  const NumberPair pair = telling_apart(1, 1 + 1e-9);
  EXPECT_EQ(pair.expected, "1");
  EXPECT_EQ(pair.actual, "1.000000001");
  // 1 / sqrt 2, and what float16 makes of it: the same four digits, but for one that %g leaves out.
  const NumberPair halves = telling_apart(0.70710678118654752, 0.70703125);
  EXPECT_EQ(halves.expected, "0.707107");
  EXPECT_EQ(halves.actual, "0.707031");
}

TEST(Text, CallsThatCouldNotBeFoundAgainAreNotListed) {
  Report report = remembers();
  for (PropertyReport& property : report.properties) {
    if (property.before.empty()) continue;
    property.before.clear();
    property.takes_more_calls = true;
  }
  const std::string text = to_text(report, {});
  EXPECT_THAT(text, testing::HasSubstr("no short sequence was found"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("after a call")));
}

TEST(Numbers, AWordOfAShellIsQuotedWhenItMustBe) {
  EXPECT_EQ(shell_word("mine.py"), "mine.py");
  EXPECT_EQ(shell_word("my answer.py"), "'my answer.py'");
  EXPECT_EQ(shell_word("it's.py"), "'it'\\''s.py'");
  EXPECT_EQ(shell_word("\xC3\xA9t\xC3\xA9.py"), "'\xC3\xA9t\xC3\xA9.py'");
  // What a terminal would act on: an escape sequence, a new line, writing from right to left (U+202E).
  EXPECT_EQ(shell_word("\x1b[31m'.py"), "$'\\x1b[31m\\x27.py'");
  EXPECT_EQ(shell_word("a\nb.py"), "$'a\\x0ab.py'");
  EXPECT_EQ(shell_word("\xE2\x80\xAEyp.py"), "$'\\xe2\\x80\\xaeyp.py'");
}

TEST(Matrices, AWideTensorIsShownAroundTheOffendingNumberOnly) {
  Evidence evidence;
  evidence.tensor = "y";
  evidence.index = {30, 20};
  evidence.expected = 0;
  evidence.actual = 7;
  Tensor actual = Tensor::zeros({40, 40});
  actual.values[30 * 40 + 20] = 7;
  evidence.compared["y"] = {Tensor::zeros({40, 40}), actual};
  const std::vector<std::string> lines = comparison(evidence, Paint(false));
  ASSERT_EQ(lines.size(), 10u);
  EXPECT_THAT(lines[5], testing::HasSubstr("row 30"));
  EXPECT_THAT(lines[5], testing::HasSubstr("7*"));
  EXPECT_THAT(lines.back(), testing::HasSubstr("rows 26-33 of 40, columns 16-23 of 40"));
}

// weights is where the check failed; y differs in its last row only.
TEST(Matrices, AMarkedRowIsShownWhereverItIs) {
  const auto rows_of_y = [](Index rows) {
    Evidence evidence;
    evidence.tensor = "weights";
    evidence.index = {0, 0};
    Tensor actual = Tensor::zeros({rows, 1});
    actual.values[actual.values.size() - 1] = 7;
    evidence.compared["y"] = {Tensor::zeros({rows, 1}), actual};
    return comparison(evidence, Paint(false));
  };
  EXPECT_THAT(rows_of_y(9).back(), AllOf(testing::HasSubstr("row 8"), testing::HasSubstr("7*")));
  const std::vector<std::string> longer = rows_of_y(20);
  EXPECT_THAT(longer[longer.size() - 2], AllOf(testing::HasSubstr("row 19"), testing::HasSubstr("7*")));
  EXPECT_THAT(longer.back(), testing::HasSubstr("rows 12-19 of 20"));
}

TEST(Guidance, ARatioOfWeightsNamesBothOfThem) {
  PropertyReport report;
  report.id = "scores/log-ratios";
  report.verdict.evidence.tensor = "log-ratio";
  report.verdict.evidence.index = {1, 4, 0};
  report.verdict.evidence.expected = 3;
  report.verdict.evidence.actual = -3;
  EXPECT_EQ(
      sentence(report),
      "in row 4 of head 1 the logarithm of weight 0 over weight 4 should be 3, the difference of the two "
      "scores, and is -3");
}

TEST(Guidance, WordsCanBeFilledInForEveryPropertyOfTheCatalogue) {
  for (const Property& property : catalogue()) {
    PropertyReport report;
    report.id = property.id;
    report.title = property.title;
    report.verdict.evidence.tensor = "y";
    report.verdict.evidence.index = {1, 0};
    EXPECT_FALSE(sentence(report).empty()) << property.id;
    if (property.id != "output/shape") {  // its failures are faults, which speak for themselves
      EXPECT_EQ(guidance(property.id).id, property.id) << "has no words of its own";
    }
    EXPECT_NO_THROW(fill_in(guidance(property.id).ask, report)) << property.id;
  }
}

}  // namespace
}  // namespace attest
