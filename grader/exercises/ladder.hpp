// The ladder of exercises, read from exercises/exercises.toml: what each asks for, and what each property is worth in it.
// The file is data that anybody may extend; nothing in the grader knows an exercise by name.
#pragma once

#include "grader/exercises/signature.hpp"
#include "properties/property.hpp"
#include "properties/spec.hpp"

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// A property's row in an exercise.
struct Rubric {
  const Property* property = nullptr;
  double points = 0;
  std::string title;    // the property's own, unless the exercise says it in its own words
  bool advice = false;  // reported only: costs no points and does not change the exit status
  std::vector<std::string>
      needs;  // ids: unless all of these hold, holding this one earns nothing (see score.hpp)
  std::vector<std::string>
      follows;  // ids or groups: when one of these failed, a failure here costs nothing more; no circles
};

struct Exercise {
  Spec spec;
  std::vector<Signature> signatures;  // the default call first
  std::string title;
  std::filesystem::path folder;  // statement, stubs, solutions, hints
  bool is_default = false;
  std::vector<Rubric> rubric;  // in the order in which properties are judged
  std::string
      rubric_sha256;  // of ids, points, needs and follows: two reports with the same one are comparable
};

struct Ladder {
  std::filesystem::path folder;     // where exercises.toml lies
  std::vector<Exercise> exercises;  // easiest first

  const Exercise* find(std::string_view slug) const;
  const Exercise& preferred() const;  // the one marked as default
  std::vector<std::string> slugs() const;
};

// The content is wrong: "exercises.toml:12:8: ...". Ours or a course's mistake, never a learner's.
struct LadderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads `folder`/exercises.toml. Throws LadderError with file, line and column, and what was expected there.
Ladder read_ladder(const std::filesystem::path& folder, std::span<const Property> known);

// The folder with exercises.toml: $ATTEST_HOME/exercises, else share/attest/exercises of the installation that `executable`
// belongs to, else the source tree that it was built from. Throws LadderError naming the places where it looked.
std::filesystem::path find_exercises(const std::filesystem::path& executable);

}  // namespace attest
