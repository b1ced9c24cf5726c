// What a machine may lack, limit or take away: said, and not held against a submission.
#include "grader/cli/cli_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class EnvironmentTest : public testing::Test, protected CliFolder {
 protected:
  EnvironmentTest() : CliFolder(testing::UnitTest::GetInstance()->current_test_info()->name()) {}
};

TEST_F(EnvironmentTest, WhatIsMissingOnTheMachineIsNotTheSubmissionsFault) {
  copy_solution("mine.py");
  write("mine.cpp", "attest::Attention causal_multi_head_attention() { return {}; }\n");
  const auto graded = [&](const std::string& file, const std::string& environment) {
    return attest("grade " + file, ">out", environment);
  };
  Ran ran = graded("mine.py", "ATTEST_PYTHON=/bin/false");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("no Python with NumPy was found"), HasSubstr("apt install python3-numpy")));
  ran = graded("mine.cpp", "CXX= ATTEST_CXX= PATH=/nowhere");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("no C++ compiler was found"), HasSubstr("apt install")));
  ran = graded("mine.py", "TMPDIR=/proc");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.out + ran.err, HasSubstr("cannot make a temporary folder in /proc (TMPDIR"));
}

TEST_F(EnvironmentTest, AKilledGraderLeavesNothingBehindAfterTheNextStart) {
  copy_solution("mine.py");
  write("sleeps.py",
        "import time\nopen('file', 'w').write('x')\ndef causal_multi_head_attention(x, w_q, w_k, w_v, w_o, "
        "n_heads):\n"
        "    time.sleep(100)\n");
  std::filesystem::create_directories(folder_ / "tmp");
  // The file's folder is there once it has been imported; then nobody gets to clear it away.
  write("kill.sh", "export TMPDIR=\"$PWD/tmp\"\n'" ATTEST_PROGRAM
                   "' grade sleeps.py & grader=$!\n"
                   "while [ -z \"$(find tmp -name file)\" ]; do sleep 0.1; done\n"
                   "kill -9 $grader; wait $grader; ls tmp >left; sleep 3\n"
                   "ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -c \"$PWD/tmp\" >processes\n"
                   "'" ATTEST_PROGRAM "' grade mine.py --cases 1\nls tmp >swept\n");
  const int status = std::system(fmt::format("cd '{}' && sh kill.sh >out 2>err", folder_.string()).c_str());
  EXPECT_EQ(status, 0) << read("out") << read("err");
  EXPECT_NE(read("left"), "");
  EXPECT_EQ(read("processes"), "0\n");
  EXPECT_EQ(read("swept"), "");
}

// On a disk of 256 KB that is full, in a mount of its own.
TEST_F(EnvironmentTest, AFullDiskIsNotTheSubmissionsFault) {
  copy_solution("mine.py");
  std::filesystem::create_directories(folder_ / "disk");
  const std::string disk = (folder_ / "disk").string();
  const std::string mount = "mount -t tmpfs -o size=256k,mode=1777 none '" + disk + "'";
  if (std::system(("unshare -m sh -c \"" + mount + "\" >/dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "only root can mount";
  write("full.sh", mount + " && head -c 300k /dev/zero >'" + disk + "/fill' 2>/dev/null\nTMPDIR='" + disk +
                       "' exec '" ATTEST_PROGRAM "' grade mine.py >out 2>err\n");
  const int status = std::system(fmt::format("cd '{}' && unshare -m sh full.sh", folder_.string()).c_str());
  EXPECT_EQ(status / 256, 2);
  EXPECT_THAT(read("out") + read("err"),
              HasSubstr("(TMPDIR names another place for them): No space left on device"));
}

// Batch systems set limits; those of a submission are no higher.
TEST_F(EnvironmentTest, LimitsOfTheCallerAreKept) {
  copy_solution("mine.py");
  write("limited.sh",
        "ulimit -t 100 -v 4000000 -f 1000000; exec '" ATTEST_PROGRAM "' grade mine.py >out 2>err\n");
  EXPECT_EQ(std::system(fmt::format("cd '{}' && bash limited.sh", folder_.string()).c_str()), 0)
      << read("out") << read("err");
}

TEST_F(EnvironmentTest, ANameOfNoCompilerIsToldSo) {
  write("mine.cpp", "int x;\n");
  const Ran ran = attest("grade mine.cpp", ">out", "ATTEST_CXX=no-such-compiler");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.out + ran.err, HasSubstr("ATTEST_CXX names no program: no-such-compiler"));
}

TEST_F(EnvironmentTest, AReportThatCannotBeWrittenIsAnError) {
  write("empty.py", "");
  EXPECT_EQ(attest("grade empty.py", ">&-").status, 2);
  EXPECT_THAT(read("err"), HasSubstr("standard output: cannot be written"));
}

TEST_F(EnvironmentTest, AReaderThatGoesAwayIsNoError) {
  write("empty.py", "");
  EXPECT_EQ(attest("grade empty.py", "| true; exit 0").status, 0);
  EXPECT_EQ(read("err"), "");
  const Ran full = attest("list", ">/dev/full");
  EXPECT_EQ(full.status, 2);
  EXPECT_THAT(full.err, HasSubstr("standard output: cannot be written: No space left on device"));
}

}  // namespace
}  // namespace attest
