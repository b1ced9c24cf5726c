// The program, run in a folder of its own: what a fixture of tests stands on.
#pragma once

#include <fmt/format.h>

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

class CliFolder {
 protected:
  explicit CliFolder(const std::string& name)
      : folder_(std::filesystem::temp_directory_path() / ("cli_" + name)) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  CliFolder(const CliFolder&) = delete;
  CliFolder& operator=(const CliFolder&) = delete;
  ~CliFolder() { std::filesystem::remove_all(folder_); }

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
  // What the schema has against a record; empty: nothing.
  std::string validity(const std::string& name) const {
    const std::string command =
        fmt::format("/usr/bin/python3 '{}' '{}' '{}' >'{}' 2>&1", ATTEST_VALIDATE, ATTEST_SCHEMA,
                    (folder_ / name).string(), (folder_ / "validity").string());
    return std::system(command.c_str()) == 0 ? "" : "no: " + read("validity") + read(name);
  }

  std::filesystem::path folder_;
};

}  // namespace attest
