// Bugs as learners write them, in both languages, each written without looking at the zoo's own version: the diagnosis names them.
#include "grader/graded_files.hpp"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace attest {
namespace {

struct WrongFile {
  std::string file, bug;
  bool named = true;  // false: nobody can tell it from the right one, or its answers follow no rule
};

std::vector<WrongFile> wrong_files() {
  std::vector<WrongFile> all;
  const toml::table file = toml::parse_file((kTestdata / "natural" / "natural.toml").string());
  for (const auto& node : *file["file"].as_array()) {
    const toml::table& row = *node.as_table();
    all.push_back({row["file"].value_or(std::string()), row["bug"].value_or(std::string()),
                   row["named"].value_or(true)});
  }
  return all;
}

void PrintTo(const WrongFile& one, std::ostream* os) { *os << one.file; }

class Natural : public testing::TestWithParam<WrongFile> {};

TEST_P(Natural, IsNamed) {
  const Report report = grade_file(kTestdata / "natural" / GetParam().file, kFewestCases);
  if (!GetParam().named) {
    EXPECT_TRUE(report.diagnosis.empty()) << report.diagnosis.front().bug;
    return;
  }
  ASSERT_EQ(report.diagnosis.size(), 1u) << why(report);
  const BugReport& bug = report.diagnosis.front();
  const bool among_equals =
      std::any_of(bug.equivalent.begin(), bug.equivalent.end(),
                  [](const BugReport::Alike& other) { return other.bug == GetParam().bug; });
  EXPECT_TRUE(bug.bug == GetParam().bug || among_equals) << "is called " << bug.bug;
  EXPECT_EQ(bug.agreed, bug.of);
  EXPECT_GE(bug.of, 10);
}

INSTANTIATE_TEST_SUITE_P(Testdata, Natural, testing::ValuesIn(wrong_files()), [](const auto& one) {
  std::string name = one.param.file;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

}  // namespace
}  // namespace attest
