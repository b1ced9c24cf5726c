// From a file to a verdict, on real files: correct submissions in the styles people write, wrong ones with one bug each, broken
// input of every kind, and the exercises' own content.
#include "grader/graded_files.hpp"
#include "grader/sandbox/sandbox.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace attest {
namespace {

// One row of an expected.toml.
struct Row {
  std::string file, outcome, exercise, returns, says;
  bool fragile = false;
  std::vector<Index> minimal;  // T, d_model, n_heads
  std::set<std::string> fails;
};

std::vector<Row> rows(const std::string& folder) {
  std::vector<Row> all;
  const toml::table file = toml::parse_file((kTestdata / folder / "expected.toml").string());
  for (const auto& node : *file["submission"].as_array()) {
    const toml::table& t = *node.as_table();
    Row row{t["file"].value_or(std::string()),
            t["outcome"].value_or(std::string()),
            t["exercise"].value_or(std::string()),
            t["returns"].value_or(std::string()),
            t["says"].value_or(std::string()),
            t["fragile"].value_or(false),
            {},
            {}};
    if (const auto* shape = t["min_shape"].as_table()) {
      for (const char* extent : {"T", "d_model", "n_heads"})
        row.minimal.push_back((*shape)[extent].value_or(Index{0}));
    }
    if (const auto* fails = t["fails"].as_array()) {
      for (const auto& id : *fails) row.fails.insert(id.value_or(std::string()));
    }
    all.push_back(std::move(row));
  }
  return all;
}

void PrintTo(const Row& row, std::ostream* os) { *os << row.file; }

std::string test_name(const testing::TestParamInfo<Row>& info) {
  std::string name = info.param.file;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

class Correct : public testing::TestWithParam<Row> {};

TEST_P(Correct, EarnsEverything) {
  const Report report = grade_file(kTestdata / "correct" / GetParam().file, 2000);
  EXPECT_EQ(report.outcome, Outcome::passed) << why(report);
  const bool fragile = std::any_of(report.properties.begin(), report.properties.end(),
                                   [](const auto& p) { return p.outcome == Outcome::fragile; });
  EXPECT_EQ(fragile, GetParam().fragile);
  EXPECT_EQ(report.exercise, GetParam().exercise);
  ASSERT_TRUE(report.score);
  EXPECT_EQ(report.score->earned, 100) << why(report);
  EXPECT_EQ(failed(report), std::set<std::string>{}) << why(report);
}

INSTANTIATE_TEST_SUITE_P(Testdata, Correct, testing::ValuesIn(rows("correct")), test_name);

class Wrong : public testing::TestWithParam<Row> {};

TEST_P(Wrong, FailsExactlyWhatItShouldAtTheSmallestShape) {
  const Report report = grade_file(kTestdata / "wrong" / GetParam().file);
  EXPECT_EQ(failed(report), GetParam().fails) << why(report);
  ASSERT_TRUE(report.score);
  EXPECT_LT(report.score->earned, 100);
  std::vector<Index> smallest{999, 999, 999};
  const auto volume = [](const std::vector<Index>& s) { return s[0] * s[1] * s[2]; };
  for (const PropertyReport& p : report.properties) {
    if (p.advice || !p.counterexample || p.counterexample->shape.empty()) continue;
    const Extents& s = p.counterexample->shape;
    const std::vector<Index> shape{s.at("T"), s.at("d_model"), s.at("n_heads")};
    if (volume(shape) < volume(smallest)) smallest = shape;
  }
  EXPECT_LE(volume(smallest), volume(GetParam().minimal)) << why(report);
}

INSTANTIATE_TEST_SUITE_P(Testdata, Wrong, testing::ValuesIn(rows("wrong")), test_name);

class Bad : public testing::TestWithParam<Row> {};

TEST_P(Bad, IsToldWhatIsWrong) {
  const Report report = grade_file(kTestdata / "bad" / GetParam().file, 60);
  EXPECT_EQ(to_string(report.outcome), GetParam().outcome) << why(report);
  if (report.outcome == Outcome::passed) return;
  EXPECT_TRUE(report.error.has_value() || !failed(report).empty());
  std::string said = report.error ? report.error->message : why(report);
  for (const PropertyReport& p : report.properties) said += "\n" + p.explanation;
  EXPECT_THAT(said, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(said, testing::HasSubstr(GetParam().says));
  EXPECT_THAT(said, testing::Not(testing::HasSubstr(kTestdata.string()))) << "a path of the machine";
}

INSTANTIATE_TEST_SUITE_P(Testdata, Bad, testing::ValuesIn(rows("bad")), test_name);

// --- the rungs below attention: each folder holds wrong answers to one exercise ---

std::string failures_text(const Report& report) {
  std::string text =
      fmt::format("{:.4g} {}:", report.score ? report.score->earned : -1, to_string(report.outcome));
  for (const PropertyReport& p : report.properties) {
    if (is_failure(p.outcome) && !p.advice) text += " " + p.id + (p.follows_from.empty() ? "" : "~");
  }
  return text;
}

// Points, outcome and failed properties (~: a consequence, which costs nothing) of each wrong answer. ATTEST_BLESS=1 writes it anew.
TEST(Rungs, EveryMutantIsKilledAsWrittenDown) {
  const fs::path folder = kTestdata / "rungs", approved = folder / "kill-matrix.txt";
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".py") files.insert(entry.path());
  }
  std::string measured;
  for (const fs::path& file : files) {
    const Report report = grade_file(file, 60);
    EXPECT_NE(report.outcome, Outcome::passed) << file;
    EXPECT_EQ(report.exercise, file.parent_path().filename()) << file;
    measured += fmt::format("{}/{} {}\n", file.parent_path().filename().string(), file.stem().string(),
                            failures_text(report));
  }
  if (std::getenv("ATTEST_BLESS") != nullptr) std::ofstream(approved) << measured;
  std::stringstream written;
  written << std::ifstream(approved).rdbuf();
  EXPECT_EQ(measured, written.str());
}

// --- the exercises check themselves ---

struct Content {
  std::string slug;
  const char* extension;
};

void PrintTo(const Content& content, std::ostream* os) { *os << content.slug << content.extension; }

class Exercises : public testing::TestWithParam<Content> {
 protected:
  const Exercise& exercise() const { return *ladder().find(GetParam().slug); }
};

std::vector<Content> contents() {
  std::vector<Content> all;
  for (const std::string& slug : ladder().slugs()) {
    for (const char* extension : {".py", ".cpp"}) all.push_back({slug, extension});
  }
  return all;
}

TEST_P(Exercises, SolutionPasses) {
  const Report report = grade_file(exercise().folder / (std::string("solution") + GetParam().extension));
  EXPECT_EQ(report.outcome, Outcome::passed) << why(report);
  EXPECT_EQ(report.exercise, GetParam().slug);
  EXPECT_EQ(report.score.value_or(Points{}).earned, 100);
  EXPECT_EQ(report.score.value_or(Points{}).possible, 100);
}

TEST_P(Exercises, StubFailsKindly) {
  const Report report = grade_file(exercise().folder / (std::string("stub") + GetParam().extension));
  EXPECT_EQ(report.outcome, Outcome::unfinished) << why(report);
  EXPECT_EQ(report.score.value_or(Points{}).earned, 0);
  EXPECT_THAT(report.first_message, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(report.first_message, testing::Not(testing::HasSubstr("Traceback")));
}

INSTANTIATE_TEST_SUITE_P(Content, Exercises, testing::ValuesIn(contents()), [](const auto& parameter) {
  std::string name = parameter.param.slug + parameter.param.extension;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

TEST(Exercises, FoldersHoldWhatTheyShouldAndNothingElse) {
  const std::set<std::string> expected = {"statement.md", "stub.py",    "stub.cpp",       "solution.py",
                                          "solution.cpp", "hints.toml", "follow-ups.toml"};
  std::set<fs::path> folders;
  for (const Exercise& e : ladder().exercises) {
    folders.insert(e.folder.filename());
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(e.folder)) {
      if (entry.path().filename() != "__pycache__") found.insert(entry.path().filename().string());
      EXPECT_TRUE(!entry.is_regular_file() || fs::file_size(entry.path()) > 40) << entry.path();
    }
    EXPECT_EQ(found, expected) << e.folder;
  }
  for (const auto& entry : fs::directory_iterator(ladder().folder)) {
    EXPECT_TRUE(!entry.is_directory() || entry.path().filename() == "include" ||
                folders.contains(entry.path().filename()))
        << entry.path();
  }
}

TEST(Exercises, HintsHaveThreeLevelsForEveryAspectOfTheRubric) {
  for (const Exercise& e : ladder().exercises) {
    const toml::table hints = toml::parse_file((e.folder / "hints.toml").string());
    ASSERT_TRUE(hints["general"].as_array()) << e.folder;
    EXPECT_EQ(hints["general"].as_array()->size(), 3u);
    for (const Rubric& r : e.rubric) {
      for (const char* level : {"nudge", "pointer", "near_solution"}) {
        EXPECT_NE(hints[r.property->group][level].value_or(std::string()), "")
            << e.spec.slug << " " << r.property->group << " " << level;
      }
    }
  }
}

// A course's own exercise: a folder, a row, and nothing else; in both languages.
TEST(Exercises, AnotherOneIsAddedByDataAlone) {
  const PrivateFolder home;
  const auto write = [&](const char* name, const char* text) { std::ofstream(home.path() / name) << text; };
  fs::create_directory(home.path() / "10-scale");
  write("exercises.toml", R"(
[[exercise]]
slug = "scale"
title = "Every token times a number of heads"
folder = "10-scale"
entry = "scale"
subject = "scaling"
symbols = ["T", "n_heads", "d"]
arguments = [ {role="x", dims="T d"}, {role="n_heads", integer="n_heads"} ]
results = [ {name="y", dims="T d"} ]
property = [ {id="output/shape", points=40}, {id="state/pure", points=30}, {id="state/history", points=30} ]
)");
  write("right.py", "def scale(x, n_heads):\n    return x * n_heads\n");
  write("right.cpp",
        "#include <attest/exercise.hpp>\nattest::Matrix scale(const attest::Matrix& x, attest::Index n) "
        "{ return x * static_cast<attest::Scalar>(n); }\n");
  write("in_place.py", "def scale(x, n_heads):\n    x *= n_heads\n    return x\n");
  write("transposed.py", "def scale(x, n_heads):\n    return x.T * n_heads\n");
  const Ladder course = read_ladder(home.path(), catalogue());
  const auto graded = [&](const char* name) {
    return grade(load(home.path() / name), course, GradeOptions{});
  };
  for (const char* right : {"right.py", "right.cpp"}) {
    const Report report = graded(right);
    EXPECT_EQ(report.exercise, "scale");
    EXPECT_EQ(report.score.value_or(Points{}).earned, 100) << why(report);
  }
  EXPECT_EQ(failed(graded("in_place.py")), std::set<std::string>{"state/pure"});
  EXPECT_EQ(failed(graded("transposed.py")), std::set<std::string>{"output/shape"});
}

// The suite that engineers link has the interview question built in; the ladder declares it as data. They are the same.
TEST(Exercises, DefaultIsTheSpecificationOfTheSuite) {
  const Spec& declared = ladder().preferred().spec;
  const Spec& built_in = multi_head_attention_spec();
  EXPECT_EQ(declared.slug, built_in.slug);
  EXPECT_EQ(declared.entry, built_in.entry);
  ASSERT_EQ(declared.arguments.size(), built_in.arguments.size());
  for (std::size_t i = 0; i < declared.arguments.size(); ++i) {
    EXPECT_EQ(declared.arguments[i].role, built_in.arguments[i].role);
    EXPECT_EQ(declared.arguments[i].dims, built_in.arguments[i].dims);
    EXPECT_EQ(declared.arguments[i].integer, built_in.arguments[i].integer);
  }
  EXPECT_EQ(declared.free_symbols(), built_in.free_symbols());
}

}  // namespace
}  // namespace attest
