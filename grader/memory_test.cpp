// Wrong uses of memory, as learners make them: each is told by what was done, to which array and in which line.
#include "grader/graded_files.hpp"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace attest {
namespace {

struct MisusingFile {
  std::string file, says;
  int line = 0;
};

// A few of them always, all in a soak: each is compiled twice.
std::vector<MisusingFile> misusing_files() {
  const bool all = std::getenv("ATTEST_SOAK") != nullptr;
  std::vector<MisusingFile> files;
  const toml::table table = toml::parse_file((kTestdata / "memory" / "expected.toml").string());
  for (const auto& node : *table["submission"].as_array()) {
    const toml::table& row = *node.as_table();
    if (all || row["always"].value_or(false))
      files.push_back({row["file"].value_or(std::string()), row["says"].value_or(std::string()),
                       row["line"].value_or(0)});
  }
  return files;
}

void PrintTo(const MisusingFile& one, std::ostream* os) { *os << one.file; }

class Memory : public testing::TestWithParam<MisusingFile> {};

TEST_P(Memory, IsExplained) {
  const Report report = grade_file(kTestdata / "memory" / GetParam().file, kFewestCases);
  const std::string place = GetParam().file + ":" + std::to_string(GetParam().line);
  std::string all = report.first_message + "\n";
  for (const PropertyReport& property : report.properties) all += property.explanation + "\n";
  EXPECT_NE(report.outcome, Outcome::passed);
  // What the failing case happens to be decides some lengths: " ... " stands for them.
  const std::string says = GetParam().says + " (" + place + ")", gap = " ... ";
  const std::size_t open = says.find(gap);
  const std::string begin = says.substr(0, open),
                    end = open == std::string::npos ? "" : says.substr(open + gap.size());
  const std::size_t at = all.find(begin);
  ASSERT_NE(at, std::string::npos) << begin << "\n" << all << why(report);
  EXPECT_NE(all.find(end, at + begin.size()), std::string::npos) << end << "\n" << all;
}

INSTANTIATE_TEST_SUITE_P(Testdata, Memory, testing::ValuesIn(misusing_files()),
                         [](const auto& one) { return one.param.file.substr(0, one.param.file.find('.')); });

}  // namespace
}  // namespace attest
