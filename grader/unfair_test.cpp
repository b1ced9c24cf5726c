// Answers that are right now and then: remembered for what looks the same, right for some shapes or numbers only, wrong in the first calls
// or in one of a thousand. None of them may pass.
#include "grader/graded_files.hpp"
#include "grader/sandbox/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace attest {
namespace {

const fs::path kUnfair = kTestdata / "unfair";

struct Unfair {
  std::string file;
  std::vector<std::string> outcomes;
  bool each_time = false;
};

void PrintTo(const Unfair& unfair, std::ostream* os) { *os << unfair.file; }

std::vector<Unfair> unfair_files() {
  std::vector<Unfair> all;
  const toml::table table = toml::parse_file((kUnfair / "expected.toml").string());
  for (const auto& node : *table["submission"].as_array()) {
    Unfair unfair{(*node.as_table())["file"].value_or(std::string()),
                  {},
                  (*node.as_table())["each_time"].value_or(false)};
    for (const auto& outcome : *(*node.as_table())["outcome"].as_array())
      unfair.outcomes.push_back(outcome.value_or(std::string()));
    all.push_back(std::move(unfair));
  }
  return all;
}

std::string text_of(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Unfairness : public testing::TestWithParam<Unfair> {};

TEST_P(Unfairness, DoesNotPass) {
  const fs::path file = GetParam().file;
  const PrivateFolder folder;
  const fs::path whole = folder.path() / file.filename();
  std::ofstream(whole) << text_of(kUnfair / ("right" + file.extension().string())) << text_of(kUnfair / file);
  const Report report = grade_file(whole);
  EXPECT_THAT(GetParam().outcomes, testing::Contains(to_string(report.outcome))) << why(report);
  EXPECT_LT(report.score.value_or(Points{}).earned, 100) << why(report);
}

std::string test_name(const testing::TestParamInfo<Unfair>& parameter) {
  std::string name = parameter.param.file;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

std::vector<Unfair> files_of(bool each_time) {
  std::vector<Unfair> some = unfair_files();
  std::erase_if(some, [&](const Unfair& unfair) { return unfair.each_time != each_time; });
  return some;
}

INSTANTIATE_TEST_SUITE_P(Testdata, Unfairness, testing::ValuesIn(files_of(true)), test_name);
// For the soak, which asks for disabled tests.
INSTANTIATE_TEST_SUITE_P(DISABLED_Testdata, Unfairness, testing::ValuesIn(files_of(false)), test_name);

TEST(UnfairFiles, AllAreListed) {
  std::set<std::string> listed, there;
  for (const Unfair& unfair : unfair_files()) listed.insert(unfair.file);
  for (const char* language : {"python", "cpp"}) {
    for (const auto& entry : fs::directory_iterator(kUnfair / language))
      there.insert(std::string(language) + "/" + entry.path().filename().string());
  }
  EXPECT_EQ(listed, there);
}

}  // namespace
}  // namespace attest
