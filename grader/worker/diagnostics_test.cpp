// What g++ 12 and clang++ 14 print about typical errors (testdata/diagnostics), and what is told of it.
#include "grader/worker/diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace attest {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string read(const std::string& name) {
  std::ifstream file(std::string(ATTEST_WORKER_TESTDATA) + "/diagnostics/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Problem explained(const std::string& compiler, const std::string& name) {
  const std::string all = read(compiler + ".txt"), mark = "#### " + name + "\n";
  const std::size_t begin = all.find(mark) + mark.size();
  const std::string output = all.substr(begin, all.find("#### ", begin) - begin);
  return explain_compile_error(output, {name, name, Language::cpp, read(name), ""}, nullptr);
}

struct Row {
  const char* file;
  int line;
  const char *gcc, *clang;  // parts of the message
};

const Row kRows[] = {
    {"semicolon.cpp", 7, "expected ‘;’", "expected ';' after expression"},
    {"undeclared.cpp", 5, "‘n_rows’ was not declared", "undeclared identifier 'n_rows'"},
    {"misspelled.cpp", 6, "no member named ‘maxCoef’", "no member named 'maxCoef'"},
    {"wrong_args.cpp", 9, "‘attest::Matrix::block(int, int, int)’",
     "no matching member function for call to 'block'"},
    {"scalar_plus.cpp", 6, "no match for ‘operator-’", "invalid operands to binary expression"},
    {"array_matrix_mix.cpp", 9, "‘Eigen::ArrayWrapper<attest::Matrix>’ and ‘const attest::Matrix’",
     "'ArrayWrapper<attest::Matrix>' and 'const attest::Matrix'"},
    {"type_mix.cpp", 10,
     "Eigen: numbers of double and of float are mixed: convert one side with .cast<double>()",
     "Eigen: numbers of double and of float are mixed: convert one side with .cast<double>()"},
    {"assign_scalar.cpp", 9, "cannot convert ‘attest::Matrix’ to ‘double’",
     "no viable conversion from 'attest::Matrix' to 'double'"},
    {"no_return_type.cpp", 3, "declaration of ‘helper’ with no type", "requires a type specifier"},
    {"missing_include.cpp", 9, "‘map’ is not a member of ‘std’", "'map'"},
    {"no_exercise_header.cpp", 3, "‘Matrix’ does not name a type", "unknown type name 'Matrix'"},
    {"redefinition.cpp", 6, "redeclaration of ‘int T’", "redefinition of 'T'"},
    {"wrong_return.cpp", 9, "cannot convert ‘attest::Matrix’ to ‘double’",
     "no viable conversion from returned value of type 'attest::Matrix'"},
    {"const_assign.cpp", 9, "assignment of read-only location", "cannot assign to return value"},
    {"brace.cpp", 9, "expected ‘}’", "expected '}'"},
    {"extra_brace.cpp", 10, "expected unqualified-id", "expected unqualified-id"},
    {"own_header.cpp", 1, "my_utils.h", "'my_utils.h' file not found"},
    {"std_algorithm.cpp", 9, "‘sort(std::vector<double>&)’", "no matching function for call to 'sort'"},
    {"lambda.cpp", 9, "‘weights’ is not captured", "'weights' cannot be implicitly captured"},
};

TEST(Diagnostics, TheErrorThatMattersIsToldWithTheLearnersLine) {
  for (const std::string compiler : {"gcc", "clang"}) {
    for (const Row& row : kRows) {
      const Fault fault = explained(compiler, row.file).fault;
      EXPECT_EQ(fault.line, row.line) << compiler << " " << row.file;
      EXPECT_THAT(fault.message, HasSubstr(compiler == "gcc" ? row.gcc : row.clang)) << row.file;
      EXPECT_THAT(fault.message, Not(HasSubstr("aka"))) << row.file;
      EXPECT_LT(fault.message.size(), 400u) << row.file;
      // The report shows the last eight lines.
      const std::string end =
          fault.traceback.substr(fault.traceback.size() - std::min<std::size_t>(fault.traceback.size(), 800));
      EXPECT_THAT(end, HasSubstr("line " + std::to_string(row.line) + ":  ")) << row.file;
      EXPECT_THAT(end, HasSubstr(fault.message)) << row.file;
    }
  }
}

TEST(Diagnostics, TheOthersAreCounted) {
  EXPECT_THAT(explained("gcc", "array_matrix_mix.cpp").fault.traceback,
              HasSubstr("\nand 2 errors more, which may follow"));
  EXPECT_THAT(explained("gcc", "extra_brace.cpp").fault.traceback,
              HasSubstr("\nand 1 error more, which may follow"));
  EXPECT_THAT(explained("gcc", "undeclared.cpp").fault.traceback, Not(HasSubstr("more, which")));
}

TEST(Diagnostics, LongWordsDoNoHarm) {
  for (const char c : {'a', 'A', '_', '<', '1'}) {
    const std::string word(60'000, c), output = word + "\n" + "mine.cpp:1:1: error: static " + word +
                                                " (aka '" + word + "\n" + word + ": error: ld returned" +
                                                word + "\n";
    const Fault fault =
        explain_compile_error(output, {"mine.cpp", "mine.cpp", Language::cpp, word, ""}, nullptr).fault;
    EXPECT_EQ(fault.line, 1);
    EXPECT_LT(fault.message.size(), 600u);
  }
}

}  // namespace
}  // namespace attest
