// From a submission to its report.
#pragma once

#include "grader/exercises/ladder.hpp"
#include "grader/report/misuse.hpp"
#include "grader/report/report.hpp"
#include "grader/submission/submission.hpp"
#include "grader/worker/worker.hpp"
#include "properties/run.hpp"

#include <string>

namespace attest {

struct GradeOptions {
  std::string exercise;   // slug; empty: the hardest exercise whose entry the file defines
  std::string signature;  // empty: the one that the parameters decide, the default where they do not
  Plan plan;              // with plan.only nothing is scored
  WorkerOptions worker;
};

// Loads nothing and prints nothing; starts a process, asks, and ends it. Whatever the submission does is in the report; what
// goes wrong on our side is too, as internal_error. Only UsageError (an unknown exercise) is thrown.
Report grade(const Submission& submission, const Ladder& ladder, const GradeOptions& options,
             const Progress& progress = {});

// The part that needs no process: judges a candidate by an exercise's rubric and adds results, points and words to `report`,
// which names the file and the like already.
void judge(const Exercise& exercise, Candidate& candidate, const Plan& plan, Report& report,
           const Progress& progress = {}, const Examine& examine = {});

// The part that needs no candidate: results, one for each row of the rubric, become rows of the report, points, an outcome.
void tell(const Exercise& exercise, const std::vector<PropertyResult>& results, bool scored, Report& report);

}  // namespace attest
