#include "grader/report/other_signature.hpp"

#include "grader/worker/signature.hpp"

#include <algorithm>

namespace attest {
namespace {

// Another call of the same entry: with as many arguments, or with some that are optional and were left out. Those have the names of what
// they stand for (attn_mask=None): an eps=1e-3 that is given a mask may well compute something.
bool may_fit(const Submission& submission, const Spec& used, const Spec& other) {
  const std::vector<std::string> left_out = parameters(used), given = parameters(other);
  if (other.entry != used.entry) return false;
  const std::vector<Definition> found = definitions(submission);
  if (given.size() <= left_out.size()) {
    const bool names_say_it =
        given != left_out && std::any_of(found.begin(), found.end(), [&](const Definition& own) {
          return own.name == used.entry && has_parameters_of(own, used);
        });
    return given.size() == left_out.size() && !names_say_it;
  }
  return std::any_of(found.begin(), found.end(), [&](const Definition& definition) {
    return definition.name == other.entry && definition.parameters.size() >= given.size() &&
           std::all_of(given.begin(), given.end(), [&](const std::string& parameter) {
             return std::find(left_out.begin(), left_out.end(), parameter) != left_out.end() ||
                    std::any_of(
                        definition.parameters.begin(), definition.parameters.end(),
                        [&](const std::string& own) { return own.find(parameter) != std::string::npos; });
           });
  });
}

// A few right answers tell, long before all properties do.
bool may_be_right_as(const Exercise& exercise, const Signature& signature, Worker& worker, Dtype dtype,
                     const Plan& plan) {
  std::vector<const Property*> comparisons;
  for (const Rubric& row : exercise.rubric) {
    if (row.property->needs_oracle) comparisons.push_back(row.property);
  }
  bool agrees = true;
  as_default_call(exercise, signature, worker, dtype, [&](const Exercise& asked, Candidate& candidate) {
    for (const PropertyResult& result : run(comparisons, asked.spec, dtype, candidate, plan))
      agrees = agrees && !is_failure(result.outcome);
  });
  return agrees;
}

}  // namespace

const Signature* right_signature(const Submission& submission, const Exercise& exercise,
                                 const Signature& used, const GradeOptions& options, Worker& worker) {
  Plan few = options.plan;
  few.cases = kFewestCases;
  few.shrink_evaluations = 0;
  const Signature* found = nullptr;
  for (const Signature& other : exercise.signatures) {
    if (found != nullptr || &other == &used || !may_fit(submission, used.call, other.call)) continue;
    std::unique_ptr<Worker> another;
    if (!worker.call_as(other.call)) {
      auto started = Worker::start(submission, {&other.call}, options.worker);
      if (std::holds_alternative<Problem>(started)) continue;
      another = std::get<std::unique_ptr<Worker>>(std::move(started));
    }
    Worker& asked = another ? *another : worker;
    if (!may_be_right_as(exercise, other, asked, options.worker.dtype, few)) continue;
    Report attempt;
    attempt.dtype = options.worker.dtype;
    attempt.signature = other.name;
    as_default_call(exercise, other, asked, attempt.dtype, [&](const Exercise& meant, Candidate& candidate) {
      judge(meant, candidate, few, attempt);
    });
    if (attempt.outcome == Outcome::passed) found = &other;
  }
  worker.call_as(used.call);
  return found;
}

}  // namespace attest
