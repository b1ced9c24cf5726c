// The program, run in a folder of its own.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace attest {

struct Ran {
  int status = -1;
  std::string out, err;
};

class CliTest : public testing::Test {
 protected:
  CliTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~CliTest() override { std::filesystem::remove_all(folder_); }

  Ran attest(const std::string& words, const std::string& redirect = ">out",
             const std::string& environment = "") const {
    const std::string command = fmt::format("cd '{}' && TERM=xterm {} '{}' {} {} 2>err </dev/null",
                                            folder_.string(), environment, ATTEST_PROGRAM, words, redirect);
    const int status = std::system(command.c_str());
    return {status / 256, read("out"), read("err")};  // POSIX: the exit status in the second byte
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void copy_solution(const std::string& name) const {
    std::filesystem::copy_file(
        std::filesystem::path(ATTEST_SOURCE_EXERCISES) / "05-multi-head" / "solution.py", folder_ / name);
  }
  void expect_valid(const std::string& name) const {
    const std::string command =
        fmt::format("/usr/bin/python3 '{}' '{}' '{}' >'{}' 2>&1", ATTEST_VALIDATE, ATTEST_SCHEMA,
                    (folder_ / name).string(), (folder_ / "validity").string());
    EXPECT_EQ(std::system(command.c_str()), 0) << read("validity") << read(name);
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("cli_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace attest
