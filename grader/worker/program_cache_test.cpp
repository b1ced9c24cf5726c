// Compiled once: what is kept comes back whole or not at all, and only for the very same text and toolchain.
#include "grader/worker/program_cache.hpp"

#include "grader/submission/sha256.hpp"
#include "grader/worker/compiler.hpp"
#include "grader/worker/files.hpp"
#include "grader/worker/testing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <thread>

namespace attest::testing {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// A cache with room for `most` bytes, programs to put into it, and a place to take them to.
struct Shelf {
  explicit Shelf(std::size_t most = 1 << 20) : cache(scratch.path() / "programs", most) {}

  void keep(const std::string& name, const std::string& bytes) {
    write(scratch.path() / "made", bytes);
    cache.keep(sha256(name), scratch.path() / "made");
  }
  std::optional<std::string> take(const std::string& name) {
    if (!cache.take(sha256(name), scratch.path() / "taken")) return std::nullopt;
    return contents(scratch.path() / "taken");
  }
  fs::path file(const std::string& name) { return scratch.path() / "programs" / sha256(name); }

  PrivateFolder scratch;
  ProgramCache cache;
};

TEST(ProgramCache, GivesBackWhatWasKeptUnderThatKey) {
  Shelf shelf;
  EXPECT_EQ(shelf.take("a"), std::nullopt);
  const std::string bytes("a program\0with a zero", 21);
  shelf.keep("a", bytes);
  EXPECT_EQ(shelf.take("a"), bytes);
  EXPECT_EQ(shelf.take("b"), std::nullopt);
  EXPECT_EQ(fs::status(shelf.scratch.path() / "taken").permissions() & fs::perms::owner_exec,
            fs::perms::owner_exec);
  EXPECT_EQ(std::distance(fs::directory_iterator(shelf.file("a").parent_path()), {}),
            1);  // nothing unfinished
}

TEST(ProgramCache, WhatIsDamagedCountsAsNotKept) {
  Shelf shelf;
  const auto damaged = [&](const std::function<std::string(std::string)>& damage) {
    shelf.keep("a", "a program");
    write(shelf.file("a"), damage(contents(shelf.file("a"))));
    return shelf.take("a") == std::nullopt;
  };
  EXPECT_TRUE(damaged([](std::string all) { return all.substr(0, all.size() - 1); }));
  EXPECT_TRUE(damaged([](std::string all) { return all + "x"; }));
  EXPECT_TRUE(damaged([](std::string all) { return all.replace(all.size() - 1, 1, "x"); }));
  EXPECT_TRUE(damaged([](std::string all) { return all.substr(0, 10); }));
  EXPECT_TRUE(damaged([](const std::string&) { return ""; }));
  shelf.keep("a", "a program");
  fs::copy_file(shelf.file("a"), shelf.file("b"));
  EXPECT_EQ(shelf.take("b"), std::nullopt);  // whole, but another one's
  fs::create_symlink(shelf.file("a"), shelf.file("c"));
  fs::rename(shelf.file("a"), shelf.file("d"));
  EXPECT_EQ(shelf.take("c"), std::nullopt);
}

TEST(ProgramCache, WhatWasUsedLongestAgoMakesRoom) {
  Shelf shelf(1000);  // three of 200 bytes with their checksums
  const auto age = [&](const std::string& name, int hours) {
    fs::last_write_time(shelf.file(name), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (const char* name : {"a", "b", "c"}) shelf.keep(name, std::string(200, *name));
  age("a", 3), age("b", 2), age("c", 1);
  EXPECT_NE(shelf.take("a"), std::nullopt);  // used just now
  shelf.keep("d", std::string(200, 'd'));
  EXPECT_EQ(shelf.take("b"), std::nullopt);
  for (const char* name : {"a", "c", "d"}) EXPECT_NE(shelf.take(name), std::nullopt) << name;
  shelf.keep("e", std::string(1001, 'e'));  // more than all the room there is
  EXPECT_EQ(shelf.take("e"), std::nullopt);
}

TEST(ProgramCache, AFolderThatOthersCanReadIsLeftAlone) {
  Shelf shelf;
  shelf.keep("a", "a program");
  fs::permissions(shelf.scratch.path() / "programs", fs::perms::owner_all | fs::perms::group_read);
  const ProgramCache cache(shelf.scratch.path() / "programs");
  EXPECT_FALSE(cache.take(sha256("a"), shelf.scratch.path() / "taken"));
  cache.keep(sha256("b"), shelf.scratch.path() / "made");
  EXPECT_FALSE(fs::exists(shelf.file("b")));
}

TEST(ProgramCache, GradersThatShareItTakeWholeProgramsOrNone) {
  Shelf shelf(4000);  // room for some: files come and go all the time
  std::vector<std::jthread> graders;
  std::atomic<int> taken = 0;
  for (int g = 0; g < 4; ++g) {
    graders.emplace_back([&, own = shelf.scratch.path() / std::to_string(g)] {
      for (int i = 0; i < 200; ++i) {
        const std::string name = std::to_string(i % 5), bytes(900, static_cast<char>('0' + i % 5));
        write(own, bytes);
        shelf.cache.keep(sha256(name), own);
        if (!shelf.cache.take(sha256(name), own)) continue;
        EXPECT_EQ(contents(own), bytes);
        ++taken;
      }
    });
  }
  graders.clear();  // joins
  EXPECT_GT(taken, 0);
}

TEST(ProgramCache, WhatWasTakenCanBeStartedWhileOtherThreadsFork) {
  Shelf shelf;
  shelf.keep("true", contents("/bin/true"));
  std::vector<std::jthread> graders;
  for (int g = 0; g < 4; ++g) {
    graders.emplace_back([&, program = shelf.scratch.path() / std::to_string(g)] {
      for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(shelf.cache.take(sha256("true"), program));
        Policy policy;
        policy.argv = {program.string()};
        policy.folder = "/";
        EXPECT_EQ(spawn(policy).wait().status, 0);
        fs::remove(program);
      }
    });
  }
}

// A small submission that no earlier run has compiled.
std::string new_text() {
  std::random_device device;
  return "#include <attest/exercise.hpp>\n// " + std::to_string(device()) + std::to_string(device()) +
         "\nattest::Matrix scale(const attest::Matrix& x, attest::Index n) { return x * double(n); }\n";
}

// Compiles with a compiler that is not there: what comes out was kept.
bool is_kept(Toolchain chain, const Submission& file, const Limits& limits = {}) {
  chain.compiler = "/nowhere/c++";
  const PrivateFolder folder;
  try {
    return std::holds_alternative<Program>(compile(chain, file, scale_spec(), folder.path(), limits));
  } catch (const std::system_error&) {
    return false;
  }
}

TEST(CompiledOnce, TheSameTextNeedsNoCompilerAndAnythingElseDoes) {
  const Toolchain chain = std::get<Toolchain>(find_toolchain(Dtype::float64, {}));
  const Submission file = submission("mine.cpp", new_text());
  EXPECT_FALSE(is_kept(chain, file));
  const Reply first = ask(*running(start(file)), question(3));
  EXPECT_TRUE(is_kept(chain, file));
  const Reply second = ask(*running(start(file)), question(3));
  EXPECT_EQ(get(first.results, "y").values, get(second.results, "y").values);

  EXPECT_FALSE(is_kept(chain, submission("mine.cpp", file.text + " ")));
  EXPECT_FALSE(is_kept(chain, submission("other.cpp", file.text)));  // its name is in what it says of errors
  EXPECT_FALSE(is_kept(std::get<Toolchain>(find_toolchain(Dtype::float32, {})), file));
  Toolchain other = chain;
  other.key = sha256("another compiler");
  EXPECT_FALSE(is_kept(other, file));
  other.key.clear();  // as WorkerOptions::reuse_program does
  EXPECT_FALSE(is_kept(other, file));
}

TEST(CompiledOnce, AFileThatReadsOthersIsCompiledAgain) {
  const Toolchain chain = std::get<Toolchain>(find_toolchain(Dtype::float64, {}));
  const PrivateFolder folder;
  write(folder.path() / "part.hpp", "\n");
  const Submission file = submission("mine.cpp", "#include \"" + (folder.path() / "part.hpp").string() +
                                                     "\"\n#include <deque>\n" + new_text());
  WorkerOptions options;
  options.limits.isolation.without.landlock = true;  // behind it, others cannot be read at all
  running(start(file, options));
  EXPECT_FALSE(is_kept(chain, file, options.limits));
}

// Without walls the assembler may have put any file of the machine into the program.
TEST(CompiledOnce, AProgramFromBehindFewerWallsIsNotUsedBehindMore) {
  const Toolchain chain = std::get<Toolchain>(find_toolchain(Dtype::float64, {}));
  const Submission file = submission("mine.cpp", new_text());
  WorkerOptions options;
  options.limits.isolation.without.landlock = true;
  running(start(file, options));
  EXPECT_TRUE(is_kept(chain, file, options.limits));
  EXPECT_FALSE(is_kept(chain, file));
}

// What was precompiled is kept by its contents: a checkout or an installation of the same text with other dates changes nothing.
TEST(CompiledOnce, OtherDatesOfTheSameHeadersChangeNothing) {
  const PrivateFolder home, cache;
  const fs::path data = data_folder();
  for (const char* part : {"exercises/include/attest", "grader/worker/runtime"}) {
    fs::create_directories(home.path() / part);
    fs::copy(data / part, home.path() / part, fs::copy_options::recursive);
  }
  fs::copy(data / "grader" / "worker" / "wire.hpp", home.path() / "grader" / "worker" / "wire.hpp");
  setenv("ATTEST_HOME", home.path().c_str(), 1);
  setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  running(start(submission("mine.cpp", new_text())));
  for (const char* header : {"exercises/include/attest/exercise.hpp", "grader/worker/runtime/prelude.hpp"}) {
    const fs::path file = home.path() / header;
    fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
  }
  running(start(submission("mine.cpp", new_text())));
  unsetenv("ATTEST_HOME");
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace attest::testing
