// For tests that grade real files.
#pragma once

#include "grader/exercises/ladder.hpp"
#include "grader/report/grade.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace attest {

namespace fs = std::filesystem;

inline const fs::path kTestdata = ATTEST_TESTDATA;

inline const Ladder& ladder() {
  static const Ladder read = read_ladder(ATTEST_SOURCE_EXERCISES, catalogue());
  return read;
}

inline Report grade_file(const fs::path& path, int cases = 200, std::string exercise = {}) {
  GradeOptions options;
  options.exercise = std::move(exercise);
  options.plan.cases = cases;
  return grade(load(path), ladder(), options);
}

inline std::set<std::string> failed(const Report& report) {
  std::set<std::string> ids;
  for (const PropertyReport& p : report.properties) {
    if (is_failure(p.outcome) && !p.advice) ids.insert(p.id);
  }
  return ids;
}

inline std::string why(const Report& report) {
  std::string text = std::string(to_string(report.outcome));
  if (report.error) text += ": " + report.error->message;
  for (const PropertyReport& p : report.properties) {
    if (is_failure(p.outcome) && !p.advice)
      text += "\n  " + p.id + ": " + std::string(to_string(p.outcome)) + " " + p.verdict.fault.message +
              (p.counterexample ? " at " + p.counterexample->token : "");
  }
  return text;
}

}  // namespace attest
