// Reports of AddressSanitizer and UndefinedBehaviorSanitizer as g++ 12 and clang++ 14 make them (testdata/sanitizers), read and told.
#include "grader/worker/sanitize.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

namespace attest {
namespace {

std::string contents(const std::string& name) {
  std::ifstream file(std::string(ATTEST_WORKER_TESTDATA) + "/sanitizers/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The report of wrong.cpp, run with this number.
std::string report(const std::string& compiler, int number) {
  const std::string all = contents(compiler + ".txt"), mark = "#### " + std::to_string(number) + "\n";
  const std::size_t at = all.find(mark);
  if (at == std::string::npos) throw std::runtime_error("no report " + mark);
  const std::size_t begin = at + mark.size();
  return all.substr(begin, all.find("#### ", begin) - begin);
}

Submission wrong_file() { return {"wrong.cpp", "wrong.cpp", Language::cpp, contents("wrong.cpp"), ""}; }

struct Row {
  int number, line, made, freed;  // lines of wrong.cpp
  const char* sentence;
  const char* from_gcc = nullptr;  // where it says it differently
};

const Row kRows[] = {
    {1, 33, 27, 0, "it read one past the end of `p`, which has 4 elements (made in line 27)"},
    {2, 35, 27, 0, "it wrote one before the start of `p`, which has 4 elements (made in line 27)"},
    {3, 37, 26, 0, "it read 3 past the end of `v`, which has 4 elements (made in line 26)"},
    {4, 40, 39, 0,
     "it read behind the last element of `v` (made in line 39): the memory is reserved there, but no element "
     "lives "
     "in it"},
    {5, 43, 0, 0, "it used index 4 of `row`, which has 4 elements: 0 to 3"},
    {6, 45, 0, 0, "it wrote one past the end of `row`, which has 4 elements (declared in line 28)"},
    {7, 47, 0, 0, "it read one past the end of `table`, which has 4 elements (declared in line 7)"},
    {8, 50, 27, 49, "it read `p` after its memory was given back (made in line 27, given back in line 49)"},
    {9, 54, 27, 53, "it gave the same memory back twice (made in line 27, first given back in line 53)"},
    {10, 57, 27, 0, "it made memory with new [] and gave it back with delete (made in line 27)"},
    {11, 59, 0, 0,
     "it read `local` (declared in line 9), a local variable of a function that has already returned"},
    {12, 66, 0, 0, "it read `inner` (declared in line 63) after the end of the block that it lives in"},
    {14, 72, 0, 0, "it read through a null pointer"},
    {15, 76, 0, 0,
     "it read at an address that belongs to nothing: an index far outside its array, or a pointer that was "
     "never set"},
    {16, 79, 0, 0, "an integer was divided by zero"},
    {17, 81, 0, 0, "a number is too large for its type: 2147483647 + 4 does not fit into int",
     "a number is too large for its type: 4 + 2147483647 does not fit into int"},
    {18, 83, 0, 0, "it shifted by 40 bits, and int has 32"},
    {19, 18, 0, 0, "a function ended without a return, though it must return a value"},
    {20, 88, 0, 0, "it used an element of a std::vector that has none"},
    {21, 91, 0, 0, "an array of -4 elements was asked for"},
    {22, 96, 0, 0,
     "it read a double at an address that is not a multiple of 8: a pointer to another type, or one that was "
     "never set"},
    {23, 99, 0, 0,
     "it gave back memory of `row` that does not come from new or malloc, or not from the start of it"},
    {24, 101, 0, 0, "it read far outside of `p`"},
    {25, 103, 0, 0, "it copied a negative number of bytes (-4)"},
    {26, 105, 26, 0, "it read past the end of an array of 32 bytes (made in line 26)"},
    {27, 110, 107, 109,
     "it read memory that was already given back (made in line 107, given back in line 109): push_back "
     "may move "
     "the elements, and pointers and references to them are void then"},
    {28, 114, 0, 0, "it read a bool that was never set (its value is 170)"},
    {29, 118, 0, 0, "a number is too large for its type: 1e+20 does not fit into int"},
    {31, 123, 27, 0, "it copied (memcpy) between places that overlap"},
};

TEST(Sanitize, ReportsBecomeSentences) {
  const Submission file = wrong_file();
  for (const std::string compiler : {"gcc", "clang"}) {
    for (const Row& row : kRows) {
      // g++ copies 16 bytes without a call, does not look at the alignment in a local array, and takes any byte for a bool.
      if ((row.number == 31 || row.number == 22 || row.number == 28) && compiler == "gcc") continue;
      const auto finding = read_sanitizer_report(report(compiler, row.number));
      ASSERT_TRUE(finding) << compiler << " " << row.number;
      ASSERT_FALSE(finding->at.empty()) << compiler << " " << row.number;
      const Fault fault =
          fault_of(*finding, file, [&](const std::vector<std::uint64_t>& addresses) -> CodeLine {
            return {addresses.empty()            ? 0
                    : addresses == finding->at   ? row.line
                    : addresses == finding->made ? row.made
                                                 : row.freed,
                    ""};
          });
      const bool differs = compiler == "gcc" && row.from_gcc != nullptr;
      EXPECT_EQ(fault.message, differs ? row.from_gcc : row.sentence) << compiler << " " << row.number;
      EXPECT_EQ(fault.line, row.line) << compiler << " " << row.number;
      EXPECT_EQ(fault.file, "wrong.cpp");
    }
  }
}

TEST(Sanitize, WhatIsToldWithoutIsLeftAlone) {
  EXPECT_FALSE(read_sanitizer_report(report("gcc", 13)));  // stack overflow
  EXPECT_FALSE(read_sanitizer_report(report("clang", 13)));
  EXPECT_FALSE(read_sanitizer_report(""));
  EXPECT_FALSE(read_sanitizer_report("a submission prints: runtime error: of its own\n"));
  EXPECT_FALSE(read_sanitizer_report(
      "==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2)\n    #0 0x2 (a+0x2)\n"));
}

TEST(Sanitize, ReportsThatAreCutOrForgedAreRead) {
  const std::string whole = report("clang", 1);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    if (const auto finding = read_sanitizer_report(std::string_view(whole).substr(0, n)))
      fault_of(*finding, wrong_file(), [](const auto&) { return CodeLine{}; });
  }
  const auto wild = read_sanitizer_report(
      "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address\nREAD of size 99999999999999999999 at\n "
      "   #0 0x\n"
      "0x1 is located -5 bytes to the right of 0-byte region [\n    [9, ) '' <== Memory access at offset "
      "x\n");
  ASSERT_TRUE(wild);
  EXPECT_NE(fault_of(*wild, wrong_file(), [](const auto&) { return CodeLine{-7, ""}; }).message, "");
}

// Newer clang++ says "after" and "before".
TEST(Sanitize, TheDistanceIsReadInBothWordings) {
  const auto distance = [](const std::string& where) {
    return read_sanitizer_report(
               "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\nREAD of size 8 at 0x1\n"
               "0x1 is located " +
               where + " 32-byte region [0x1,0x2)\n")
        ->distance;
  };
  EXPECT_EQ(distance("8 bytes to the right of"), 40);
  EXPECT_EQ(distance("8 bytes after"), 40);
  EXPECT_EQ(distance("8 bytes to the left of"), -8);
  EXPECT_EQ(distance("8 bytes before"), -8);
  EXPECT_EQ(distance("8 bytes inside of"), 8);
}

TEST(Sanitize, AnArrayIsNamedOnlyWhereTheLineLeavesNoChoice) {
  using Access = Finding::Access;
  using Names = std::vector<std::string>;
  EXPECT_EQ(indexed_names("y[i] = scores[i + 1];", Access::read), Names{"scores"});
  EXPECT_EQ(indexed_names("y[i] = scores[i + 1];", Access::write), Names{"y"});
  EXPECT_EQ(indexed_names("y[i] += scores[i + 1];", Access::read), (Names{"scores", "y"}));
  EXPECT_EQ(indexed_names("y[order[i]] = 0;", Access::read), Names{"order"});
  EXPECT_EQ(indexed_names("y[order[i]] = 0;", Access::write), Names{"y"});
  EXPECT_EQ(indexed_names("for (int j = 0; j <= n; ++j) sum += e[j];", Access::read), Names{"e"});
  EXPECT_EQ(indexed_names("for (int j = 0; j < n; ++j) y[j] = e[j];", Access::write), Names{"y"});
  EXPECT_EQ(indexed_names("if (a[i] == b[i]) return w[i][j];", Access::read), (Names{"a", "b", "w"}));
  EXPECT_EQ(indexed_names("sum = this->buffer[i] + m.data()[i];", Access::read), (Names{"buffer", "m"}));
  EXPECT_EQ(indexed_names("double* p = new double[n];", Access::write), Names{});
  EXPECT_EQ(indexed_names("auto f = [&](int i) { return i; };", Access::read), Names{});
}

}  // namespace
}  // namespace attest
