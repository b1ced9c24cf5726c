// The program as people run it: words in, text and exit status out.
#include "grader/cli/cli_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace attest {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliTest : public testing::Test, protected CliFolder {
 protected:
  CliTest() : CliFolder(testing::UnitTest::GetInstance()->current_test_info()->name()) {}
};

constexpr const char* kNoMask = R"(
import numpy as np
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    T, d = x.shape
    cut = lambda a: a.reshape(T, n_heads, d // n_heads).transpose(1, 0, 2)
    q, k, v = cut(x @ w_q), cut(x @ w_k), cut(x @ w_v)
    s = q @ k.transpose(0, 2, 1) / np.sqrt(d // n_heads)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    a = e / e.sum(axis=-1, keepdims=True)
    return (a @ v).transpose(1, 0, 2).reshape(T, d) @ w_o, a
)";

TEST_F(CliTest, ARightAnswerPasses) {
  copy_solution("mine.py");
  const Ran ran = attest("grade mine.py");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, StartsWith("100 / 100  mine.py\n✓ "));
  EXPECT_EQ(ran.err, "");
}

// Names are the caller's, and may be a stranger's: nothing that a terminal acts on comes back.
TEST_F(CliTest, NoNameReachesTheTerminalAsItIs) {
  for (const char* words :
       {"grade 'no\x1b[31mfile.py'", "grade --no\x1b[31msuch", "explain 'no\x1b[31mid'"}) {
    const Ran ran = attest(words);
    EXPECT_EQ(ran.status, 2) << words;
    EXPECT_THAT(ran.err, AllOf(StartsWith("attest: "), Not(HasSubstr("\x1b")))) << words;
  }
}

// What is to be typed again names the file as it was named; of several files each has its path, for their names may be alike.
TEST_F(CliTest, AFileElsewhereIsNamedByItsPath) {
  std::filesystem::create_directories(folder_ / "ann's");
  std::filesystem::create_directories(folder_ / "bob");
  write("ann's/mine.py", kNoMask);
  copy_solution("bob/mine.py");
  const Ran one = attest("grade \"ann's/mine.py\"");
  EXPECT_THAT(one.out, HasSubstr("again:         attest grade 'ann'\\''s/mine.py' --case a1:"));
  EXPECT_THAT(one.out, Not(HasSubstr("grade mine.py")));
  const Ran both = attest("grade --format json --cases 12 \"ann's/mine.py\" bob/mine.py");
  std::istringstream rows(both.out);
  for (const std::string id : {"ann's/mine.py", "bob/mine.py"}) {
    std::string row;
    ASSERT_TRUE(std::getline(rows, row));
    EXPECT_EQ(nlohmann::json::parse(row)["submission"]["id"], id);
    EXPECT_EQ(nlohmann::json::parse(row)["submission"]["file"], "mine.py");
  }
}

TEST_F(CliTest, AWrongOneIsToldWhereAndTheTokenShowsItAgain) {
  write("mine.py", kNoMask);
  const Ran ran = attest("grade mine.py --format text --format json=report.json");
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("should be"), HasSubstr("yours"), HasSubstr("again:"),
                             Not(HasSubstr("\x1b["))));
  EXPECT_EQ(validity("report.json"), "");
  const auto report = nlohmann::json::parse(read("report.json"));
  EXPECT_EQ(report["outcome"], "falsified");
  EXPECT_EQ(report["exercise"], "multi-head");
  for (const auto& property : report["properties"]) {
    if (property["id"] != "weights/upper-triangle-zero") continue;
    EXPECT_EQ(property["outcome"], "falsified");
    const Ran again = attest(fmt::format("grade mine.py --format json --case {}",
                                         property["counterexample"]["token"].get<std::string>()));
    EXPECT_EQ(again.status, 1) << again.err;
    EXPECT_EQ(validity("out"), "");
    const auto one = nlohmann::json::parse(again.out);
    EXPECT_TRUE(one["score"].is_null());
    write("case.json", property["counterexample"].dump());
    EXPECT_EQ(attest("grade mine.py --case @case.json").status, 1);
    return;
  }
  FAIL() << "the property is not in the report";
}

constexpr const char* kStaleMask = R"(
import numpy as np
kept = None
def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    global kept
    T, d = x.shape
    if kept is None:
        kept = np.triu(np.full((T, T), -np.inf), 1)
    n = min(T, len(kept))
    cut = lambda a: a.reshape(T, n_heads, d // n_heads).transpose(1, 0, 2)
    q, k, v = cut(x @ w_q), cut(x @ w_k), cut(x @ w_v)
    s = q @ k.transpose(0, 2, 1) / np.sqrt(d // n_heads)
    s[:, :n, :n] += kept[:n, :n]
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    a = e / e.sum(axis=-1, keepdims=True)
    return (a @ v).transpose(1, 0, 2).reshape(T, d) @ w_o, a
)";

nlohmann::json property_of(const nlohmann::json& report, std::string_view id) {
  for (const auto& property : report["properties"]) {
    if (property["id"] == id) return property;
  }
  return {};
}

TEST_F(CliTest, ATokenBringsTheEarlierCallAboutAgain) {
  write("mine.py", kStaleMask);
  attest("grade mine.py --format json=report.json");
  EXPECT_EQ(validity("report.json"), "");
  const auto found = property_of(nlohmann::json::parse(read("report.json")), "state/history");
  ASSERT_EQ(found["outcome"], "falsified");
  ASSERT_EQ(found["counterexample"]["before"].size(), 1u);  // a call with fewer tokens made the mask
  EXPECT_LT(found["counterexample"]["before"][0]["shape"]["T"], found["counterexample"]["shape"]["T"]);
  const Ran again = attest(fmt::format("grade mine.py --format json=again.json --format text --case {}",
                                       found["counterexample"]["token"].get<std::string>()));
  EXPECT_EQ(again.status, 1) << again.out << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("✗ after other calls"), HasSubstr("after a call:")));
  EXPECT_EQ(property_of(nlohmann::json::parse(read("again.json")), "state/history")["outcome"], "falsified");
}

TEST_F(CliTest, LessDetailIsLessInEveryForm) {
  write("mine.py", kNoMask);
  attest("grade mine.py --format json=full.json");
  const auto full = nlohmann::json::parse(read("full.json"));
  EXPECT_EQ(full["detail"], "full");
  for (const std::string detail : {"hint", "verdict"}) {
    const Ran ran = attest(
        "grade mine.py --verbose --all --format text --format json=less.json --format html=less.html "
        "--detail " +
        detail);
    EXPECT_EQ(ran.status, 1) << ran.err;
    EXPECT_EQ(validity("less.json"), "");
    const auto less = nlohmann::json::parse(read("less.json"));
    EXPECT_EQ(less["detail"], detail);
    EXPECT_EQ(less["score"], full["score"]);
    EXPECT_EQ(less["outcome"], full["outcome"]);
    for (std::size_t i = 0; i < full["properties"].size(); ++i) {
      for (const char* same : {"id", "title", "outcome", "group", "points", "cases"})
        EXPECT_EQ(less["properties"][i][same], full["properties"][i][same]);
      EXPECT_TRUE(less["properties"][i]["counterexample"].is_null());
      const auto& found = full["properties"][i]["counterexample"];
      if (found.is_null()) continue;
      for (const std::string& text : {ran.out, read("less.json"), read("less.html")}) {
        EXPECT_THAT(text, Not(HasSubstr(found["token"].get<std::string>())));
        EXPECT_THAT(text, Not(HasSubstr(full["properties"][i]["explanation"].get<std::string>())));
      }
    }
    EXPECT_EQ(less["diagnosis"].empty(), detail == "verdict");
    EXPECT_THAT(ran.out, Not(HasSubstr("seed")));
  }
  EXPECT_THAT(attest("grade mine.py --detail hint").out,
              HasSubstr("next: attest hint multi-head --for mask-"));
}

TEST_F(CliTest, SeveralFilesAreOneHtmlPageWithTheRecordsOfAll) {
  write("empty.py", "");
  write("other.py", "def something_else(x):\n    return x\n");
  const Ran ran =
      attest("grade --format html=page.html --format json=all.jsonl empty.py nowhere.py other.py");
  EXPECT_EQ(ran.status, 2) << ran.err;
  const std::string page = read("page.html");
  EXPECT_THAT(page, AllOf(StartsWith("<!doctype html>"), testing::EndsWith("</html>\n")));
  std::istringstream lines(read("all.jsonl"));
  std::size_t at = 0, records = 0;
  for (std::string line; std::getline(lines, line); ++records) {
    const std::string start = R"(<script type="application/json" class="record">)";
    at = page.find(start, at);
    ASSERT_NE(at, std::string::npos);
    at += start.size();
    EXPECT_EQ(nlohmann::json::parse(page.substr(at, page.find("</script", at) - at)),
              nlohmann::json::parse(line));
  }
  EXPECT_EQ(records, 2u);
  EXPECT_EQ(attest("grade nowhere.py --format html --out page.html").status, 2);
  EXPECT_EQ(read("page.html"), page);  // nothing was graded: the older page stays
}

TEST_F(CliTest, ASameCommandGivesTheSameReport) {
  write("mine.py", kNoMask);
  const auto report = [&] {
    auto json = nlohmann::json::parse(attest("grade mine.py --format json").out);
    json.erase("wall_ms");
    return json;
  };
  EXPECT_EQ(report(), report());
}

TEST_F(CliTest, TheUntouchedStubIsToldSoKindly) {
  EXPECT_EQ(attest("new multi-head").status, 0);
  const Ran ran = attest("grade multi_head.py --format text --format json=report.json");
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("This is the untouched stub"), Not(HasSubstr("Traceback"))));
  EXPECT_EQ(validity("report.json"), "");
  EXPECT_EQ(nlohmann::json::parse(read("report.json"))["outcome"], "unfinished");
}

TEST_F(CliTest, WhatIsUnfinishedForSomeInputsIsJudgedOnTheOthers) {
  write("mine.py", std::string(kNoMask) +
                       "\nall_of_it = causal_multi_head_attention\ndef causal_multi_head_attention(x, w_q, "
                       "w_k, w_v, w_o, n_heads):\n    if len(x) > 3: raise NotImplementedError\n    return "
                       "all_of_it(x, w_q, w_k, w_v, w_o, n_heads)\n");
  const Ran ran = attest("grade mine.py");
  EXPECT_THAT(ran.out, AllOf(HasSubstr("not written yet: NotImplementedError"),
                             HasSubstr("less, for the calls without an answer"),
                             Not(HasSubstr("no result to judge"))));
}

TEST_F(CliTest, BadFilesGetOneMessageWithAPlace) {
  write("syntax.py", "import numpy\ndef f(x)\n  return x\n");
  write("empty.py", "");
  write("other.py", "def something_else(x):\n    return x\n");
  const Ran ran = attest("grade --format json syntax.py empty.py other.py");
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_EQ(validity("out"), "");
  std::istringstream lines(ran.out);
  std::vector<nlohmann::json> reports;
  for (std::string line; std::getline(lines, line);) reports.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[0]["outcome"], "import_error");
  EXPECT_EQ(reports[0]["error"]["line"], 2);
  EXPECT_EQ(reports[1]["outcome"], "no_entry");
  EXPECT_EQ(reports[1]["error"]["message"], "the file is empty");
  EXPECT_EQ(reports[2]["outcome"], "no_entry");
}

TEST_F(CliTest, AMissingFileIsAUsageErrorAndTheOthersAreGradedAllTheSame) {
  copy_solution("mine.py");
  const Ran ran = attest("grade nowhere.py mine.py");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("nowhere.py: no such file"));
  EXPECT_THAT(ran.out, HasSubstr("100 / 100  mine.py"));
}

TEST_F(CliTest, WrongWordsGetTheNearestRightOnes) {
  const std::pair<const char*, const char*> cases[] = {
      {"grde x.py", "there is no command 'grde'; did you mean 'grade'?"},
      {"grade x.py --frmat json", "there is no option '--frmat'; did you mean '--format'"},
      {"grade x.py --exercise multihead", "there is no exercise 'multihead'; did you mean 'multi-head'?"},
      {"explain weights/rows-sum-to-on", "did you mean 'weights/rows-sum-to-one'"},
      {"grade x.py --format jsn", "known formats are text, json and html; did you mean 'json'?"},
      {"grade x.py --seed many", "--seed many: expected a whole number"},
      {"grade x.py --case rubbish", "--case: the case token cannot be read"},
      {"grade x.py --case @nowhere.json", "nowhere.json: cannot be read"},
      {"grade x.py --out nowhere/report", "nowhere/report: cannot be written"},
      {"grade", "FILE is required"},
      {"new multihead", "did you mean 'multi-head'?"},
      {"hint multi-head --aspect msk", "did you mean 'mask'"},
  };
  for (const auto& [words, message] : cases) {
    const Ran ran = attest(words);
    EXPECT_EQ(ran.status, 2) << words;
    EXPECT_THAT(ran.err, AllOf(StartsWith("attest: "), HasSubstr(message))) << words;
    EXPECT_EQ(ran.out, "") << words;
  }
}

TEST_F(CliTest, ALiteralCaseThatDoesNotFitIsExplained) {
  copy_solution("mine.py");
  write("case.json", R"({"x": [[1, 2], [3]], "w_q": 1, "w_k": 1, "w_v": 1, "w_o": 1, "n_heads": 1})");
  EXPECT_THAT(attest("grade mine.py --case @case.json").err,
              HasSubstr("'x' has rows of different length: 2 and 1"));
  write("case.json", R"({"x": [[1, 2]], "n_heads": 1})");
  EXPECT_THAT(attest("grade mine.py --exercise multi-head --case @case.json").err,
              HasSubstr("'w_q' is missing"));
}

TEST_F(CliTest, HelpAndVersionGoToStandardOutput) {
  for (const char* words : {"--help", "grade --help", "list --help", "new --help", "explain --help",
                            "hint --help", "doctor --help"}) {
    const Ran ran = attest(words);
    EXPECT_EQ(ran.status, 0) << words;
    EXPECT_THAT(ran.out, HasSubstr("Example")) << words;
  }
  EXPECT_THAT(attest("--version").out, StartsWith("attest "));
}

TEST_F(CliTest, NewNeverOverwrites) {
  EXPECT_EQ(attest("new multi-head --lang cpp answers").status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "answers" / "multi_head.cpp"));
  const Ran again = attest("new multi-head --lang cpp answers");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("is there already; nothing was changed"));
}

TEST_F(CliTest, TheLadderAPropertyAndAHintCanBeRead) {
  EXPECT_THAT(attest("list").out, HasSubstr("multi-head  (the default)"));
  EXPECT_THAT(attest("explain weights/rows-sum-to-one").out, HasSubstr("every row"));
  EXPECT_THAT(attest("explain --list").out, HasSubstr("causality/truncation-invariance"));
  EXPECT_THAT(attest("hint multi-head --aspect mask").out, HasSubstr("--level 2 --aspect mask"));
}

TEST_F(CliTest, AWallThatIsLeftOutIsSaidAndStrictRefuses) {
  copy_solution("mine.py");
  Ran ran = attest("grade mine.py --isolation strict --without-wall seccomp");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, AllOf(HasSubstr("nothing was run"), HasSubstr("seccomp: left out")));
  ran = attest("grade mine.py --without-wall seccomp --cases 1 --format json=report.json");
  EXPECT_THAT(ran.err, HasSubstr("grade only files that you trust"));
  EXPECT_THAT(read("report.json"), HasSubstr(R"("level":"best-effort")"));
  EXPECT_EQ(validity("report.json"), "");
  ran = attest("grade mine.py --isolation none --cases 1 --format json=report.json");
  EXPECT_EQ(ran.err, "");  // it was asked for
  EXPECT_THAT(read("report.json"), HasSubstr(R"("level":"none")"));
}

TEST_F(CliTest, AReportNamesTheImportsThatTheExerciseHasNoUseFor) {
  copy_solution("mine.py");
  write("mine.py", "import ctypes, math\n" + read("mine.py"));
  const Ran ran = attest("grade mine.py --cases 1 --format text --format json=report.json");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("it imports ctypes (line 1), which this exercise has no use for"));
  EXPECT_THAT(read("report.json"), HasSubstr(R"("imports":[{"module":"ctypes","line":1}])"));
  EXPECT_EQ(validity("report.json"), "");
}

TEST_F(CliTest, ColourIsForTerminalsOrOnRequest) {
  write("empty.py", "");
  EXPECT_THAT(attest("grade empty.py").out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(attest("grade empty.py --color always").out, HasSubstr("\x1b["));
}

}  // namespace
}  // namespace attest
