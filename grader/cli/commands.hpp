// One function a command. Each returns the exit status, writes its result to standard output and throws UsageError for what
// the caller can put right.
#pragma once

#include "grader/exercises/ladder.hpp"
#include "properties/tensor.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attest {

// Exit statuses: part of the contract.
inline constexpr int kAllPassed = 0;
inline constexpr int kSomethingLost = 1;
inline constexpr int kNotJudged = 2;      // usage error, or we failed
inline constexpr int kInterrupted = 130;  // 128 + SIGINT, as shells have it

// What every command may need.
struct Context {
  std::filesystem::path executable;
  bool colour = false;  // on standard output

  Ladder ladder() const;  // throws LadderError
};

struct GradeCommand {
  std::vector<std::string> files;
  std::string signature;
  std::string exercise;
  std::vector<std::string> formats;  // "text", "json", "json=report.json"
  std::string out;
  std::string seed;  // a number, "random", or empty
  int cases = 200;
  std::string only;  // a token, "@FILE", or empty
  std::optional<Dtype> dtype;
  int jobs = 0;                            // 0: as many as there are processors
  std::string isolation = "best-effort";   // or "strict", "none"
  std::vector<std::string> without_walls;  // by name
  std::string detail = "full";             // or "hint", "verdict"
  bool use_oracle = true;
  bool verbose = false;
  bool all = false;
};
int grade_command(const GradeCommand& command, const Context& context);

int list_command(const Context& context);

struct NewCommand {
  std::string slug;  // empty: the default exercise
  std::string language = "py";
  std::string folder = ".";
};
int new_command(const NewCommand& command, const Context& context);

// An empty id lists all.
int explain_command(const std::string& id, const Context& context);

struct HintCommand {
  std::string slug;
  int level = 1;       // 1 to 3: a nudge, a pointer, nearly the answer
  std::string aspect;  // mask, softmax, ...; empty: general hints
  std::string bug;     // "mask-none", "mask-none+scale-missing": hints about what a report has named
};
int hint_command(const HintCommand& command, const Context& context);

int doctor_command(const Context& context);

}  // namespace attest
