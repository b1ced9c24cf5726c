#include "grader/report/grade.hpp"

#include "grader/exercises/nearest.hpp"
#include "grader/report/guidance.hpp"
#include "grader/report/locate.hpp"
#include "grader/report/misuse.hpp"
#include "grader/report/numbers.hpp"
#include "grader/report/other_signature.hpp"
#include "grader/report/problem.hpp"
#include "grader/report/score.hpp"
#include "grader/report/so_far.hpp"
#include "grader/sandbox/terminal.hpp"
#include "grader/worker/signature.hpp"
#include "properties/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

namespace attest {
namespace {

// The shape of the call that the evidence is about; a case with literal tensors has no other record of it.
Extents shape_of(const Spec& spec, const PropertyResult& result) {
  const Counterexample& found = *result.counterexample;
  const std::size_t question = result.verdict.evidence.question;
  if (question < found.questions.size())
    return extents_of(spec.call(found.questions[question].call), found.questions[question].arguments);
  return spec.complete(found.minimal.free);
}

// By name; an exercise has the default one first.
const Signature& signature_of(const Exercise& exercise, const std::string& name) {
  const auto found = std::find_if(exercise.signatures.begin(), exercise.signatures.end(),
                                  [&](const Signature& signature) { return signature.name == name; });
  return found == exercise.signatures.end() ? exercise.signatures.front() : *found;
}

// The call that the evidence is about, as the submission saw it.
Arguments own_arguments(const Signature& signature, const PropertyResult& result, Dtype dtype) {
  const std::vector<Question>& questions = result.counterexample->questions;
  const std::size_t question = result.verdict.evidence.question;
  if (question >= questions.size() || !makes_numbers(signature)) return {};
  return called_with(signature, questions[question].arguments, dtype);
}

// The calls around the judged one without which nothing would go wrong: its past, and one that reaches back into its result.
void add_other_calls(const Spec& spec, const PropertyResult& result, PropertyReport& report) {
  const std::vector<Question>& questions = result.counterexample->questions;
  const auto other = [&](const Question& question) {
    return OtherCall{extents_of(spec.call(question.call), question.arguments), question.arguments};
  };
  const std::size_t judged = result.verdict.evidence.question;
  report.takes_more_calls = result.property->has_past && result.counterexample->token.empty();
  if (report.takes_more_calls) return;
  for (std::size_t q = 0; q < questions.size(); ++q) {
    if (q < judged && result.property->has_past) report.before.push_back(other(questions[q]));
    if (q > judged && questions.back().echo_previous) report.after.push_back(other(questions[q]));
  }
}

PropertyReport property_report(const Exercise& exercise, const Rubric& row, const PropertyResult& result,
                               const Share& share, const Report& whole) {
  PropertyReport report;
  report.id = row.property->id;
  report.title = row.title;
  report.group = row.property->group;
  report.advice = row.advice;
  report.is_warning = row.property->warning;
  report.outcome = result.outcome;
  report.skip_reason = result.skip_reason;
  report.cases = result.cases;
  report.points = share.points;
  report.follows_from = share.follows_from;
  report.waits_for = share.waits_for;
  if (result.outcome == Outcome::passed || result.outcome == Outcome::skipped) return report;

  report.verdict = result.verdict;
  report.counterexample = result.counterexample;
  if (result.counterexample) {
    report.shape = shape_of(exercise.spec, result);
    const Signature& signature = signature_of(exercise, whole.signature);
    report.called_with = own_arguments(signature, result, whole.dtype);
    add_other_calls(exercise.spec, result, report);
    if (!result.counterexample->token.empty()) {
      report.reproduce = fmt::format("attest grade {}{} --case {}", shell_word(whole.file),
                                     signature.forms.empty() ? "" : " --signature " + signature.name,
                                     result.counterexample->token);
    }
  }
  const bool by_value = result.verdict.fault.message.empty();  // there was an answer, and it is wrong
  report.explanation = by_value ? sentence(report) : fault_sentence(result.outcome, result.verdict.fault);
  if (result.outcome == Outcome::non_deterministic) {  // asked again, the same case gave another answer
    report.explanation =
        by_value
            ? fill_in("the same call does not always give the same answer: {where} was {actual} once", report)
            : fmt::format("the same call does not always give the same answer: once there was none, but {}",
                          result.verdict.fault.message);
    report.look_at = guidance("state/deterministic").look_at;
    report.ask = guidance("state/deterministic").ask;
  } else if (by_value) {
    report.look_at = guidance(report.id).look_at;
    report.ask = fill_in(guidance(report.id).ask, report);
  }
  return report;
}

void add_advice(Report& report) {
  for (const PropertyReport& property : report.properties) {
    if (property.outcome == Outcome::fragile || (property.advice && is_failure(property.outcome)))
      report.advice.push_back(as_advice(property));
  }
}

// The gravest of what counts; what was skipped says nothing.
Outcome outcome_of(const std::vector<PropertyReport>& properties) {
  Outcome outcome = Outcome::passed;
  for (const PropertyReport& property : properties) {
    if (is_failure(property.outcome) && !property.advice) outcome = std::min(outcome, property.outcome);
  }
  return outcome;
}

// The report's error is the first fault of the gravest kind.
void set_error(Report& report) {
  for (const PropertyReport& property : report.properties) {
    if (property.outcome == report.outcome && !property.verdict.fault.message.empty()) {
      report.error = property.verdict.fault;
      return;
    }
  }
}

void explain_problem(const Problem& problem, Report& report) {
  report.outcome = problem.outcome;
  report.error = problem.fault;
  report.output_tail = problem.output_tail;
  report.first_message = problem_sentence(problem.outcome, problem.fault);
  if (!problem.advice.empty()) report.advice.push_back({"actionable", problem.advice});
  if (problem.outcome != Outcome::internal_error) report.score = Points{0, 100};
}

bool is_untouched(const Submission& submission, const Exercise& exercise) {
  try {
    const char* stub = submission.language == Language::python ? "stub.py" : "stub.cpp";
    return load(exercise.folder / stub).sha256 == submission.sha256;
  } catch (const UsageError&) {
    return false;  // an exercise without that stub
  }
}

void explain_unfinished(const Submission& submission, const Exercise& exercise, Report& report) {
  const bool in_part =
      std::any_of(report.properties.begin(), report.properties.end(),
                  [](const PropertyReport& one) { return one.outcome == Outcome::passed && one.cases > 0; });
  if (report.outcome != Outcome::unfinished || in_part) return;
  const std::string where =
      report.error && report.error->line > 0 ? fmt::format(" (line {})", report.error->line) : "";
  report.first_message =
      is_untouched(submission, exercise)
          ? fmt::format(
                "This is the untouched stub: {} is not written yet{}. Nothing is wrong with it, and nothing "
                "can be judged.",
                exercise.spec.entry, where)
          : fmt::format("{} is not written yet{}: there is no result to judge.", exercise.spec.entry, where);
  report.advice.push_back({"actionable", fmt::format("next: attest hint {}", exercise.spec.slug)});
}

void tell_imports(const Submission& submission, const Exercise& exercise, Report& report) {
  const std::vector<std::string>& wanted = exercise.spec.imports.reported;
  for (const Import& import : imports(submission)) {
    if (std::find(wanted.begin(), wanted.end(), import.module) == wanted.end()) continue;
    report.imports.push_back(import);
    report.advice.push_back(
        {"actionable", fmt::format("it imports {} (line {}), which this exercise has no use for",
                                   import.module, import.line)});
  }
}

// Hardest first, as the worker wants them: every exercise with every way of calling it, or those that were asked for.
std::vector<const Spec*> calls_of(const Ladder& ladder, const GradeOptions& options) {
  if (!options.exercise.empty() && ladder.find(options.exercise) == nullptr) {
    throw UsageError(fmt::format("there is no exercise '{}'{} (attest list shows all)", options.exercise,
                                 did_you_mean(options.exercise, ladder.slugs())));
  }
  std::vector<const Spec*> specs;
  std::vector<std::string> names;
  for (auto exercise = ladder.exercises.rbegin(); exercise != ladder.exercises.rend(); ++exercise) {
    if (!options.exercise.empty() && exercise->spec.slug != options.exercise) continue;
    for (const Signature& signature : exercise->signatures) {
      names.push_back(signature.name);
      if (options.signature.empty() || signature.name == options.signature) specs.push_back(&signature.call);
    }
  }
  if (specs.empty()) {
    throw UsageError(fmt::format("there is no signature '{}'{} (attest list shows all)", options.signature,
                                 did_you_mean(options.signature, names)));
  }
  return specs;
}

std::string signature_name(const Exercise& exercise, const Spec& call) {
  return std::find_if(exercise.signatures.begin(), exercise.signatures.end(),
                      [&](const Signature& signature) { return &signature.call == &call; })
      ->name;
}

// The exercise's questions, as the submission is called.
Examine examine_as(const Signature& signature, Worker& worker, Dtype dtype) {
  return [&signature, &worker, dtype](std::span<const Question> questions) {
    std::vector<Question> called(questions.begin(), questions.end());
    for (Question& question : called) {
      if (!signature.forms.empty()) question.arguments = called_with(signature, question.arguments, dtype);
    }
    return worker.examine(called);
  };
}

// Whether values are wrong, and not only the way in which one call depends on those before it.
bool values_fail(const Report& report) {
  return std::any_of(report.properties.begin(), report.properties.end(), [](const PropertyReport& one) {
    return is_failure(one.outcome) && one.group != "state";
  });
}

// A file that is right under another signature is told so, and not given the bugs that it seems to have under this one.
void look_for_another_signature(const Submission& submission, const Exercise& exercise, const Signature& used,
                                const GradeOptions& options, Worker& worker, Report& report) {
  if (!options.signature.empty() || options.plan.only || report.outcome < Outcome::raised ||
      report.outcome == Outcome::unfinished || !values_fail(report))
    return;
  const Signature* other = right_signature(submission, exercise, used, options, worker);
  if (other == nullptr) return;
  if (report.error) report.error->traceback.clear();  // how it ends when it is called wrongly
  report.first_message = fmt::format(
      "As {} it is wrong, but all that was tried holds with another meaning of the arguments, "
      "the signature '{}'.",
      call_text(used.call), other->name);
  report.advice.insert(report.advice.begin(),
                       {"essential", fmt::format("judge it so:  attest grade {} --signature {}",
                                                 shell_word(report.file), other->name)});
}

void run_worker(const Submission& submission, const Ladder& ladder, const std::vector<const Spec*>& specs,
                const GradeOptions& options, const Progress& progress, Report& report) {
  report.isolation = isolation_of(options.worker.limits.isolation);
  if (const auto problem = check(submission)) return explain_problem(*problem, report);
  auto started = Worker::start(submission, specs, options.worker);
  if (const auto* problem = std::get_if<Problem>(&started)) return explain_problem(*problem, report);
  Worker& worker = *std::get<std::unique_ptr<Worker>>(started);
  const Exercise& exercise = *ladder.find(worker.spec().slug);
  report.signature = signature_name(exercise, worker.spec());
  const Signature& signature = signature_of(exercise, report.signature);
  as_default_call(
      exercise, signature, worker, report.dtype, [&](const Exercise& asked, Candidate& candidate) {
        judge(asked, candidate, options.plan, report, progress, examine_as(signature, worker, report.dtype));
      });
  report.environment = worker.environment();
  report.output_tail = worker.output_tail();
  explain_unfinished(submission, exercise, report);
  tell_imports(submission, exercise, report);
  if (report.outcome != Outcome::passed)
    look_for_another_signature(submission, exercise, signature, options, worker, report);
  if (!options.plan.only && report.first_message.empty()) {
    as_default_call(exercise, signature, worker, report.dtype,
                    [&](const Exercise& asked, Candidate& candidate) {
                      locate(asked, candidate, options.plan.seed, report);
                    });
  }
}

}  // namespace

void tell(const Exercise& exercise, const std::vector<PropertyResult>& results, bool scored, Report& report) {
  const std::vector<Share> shares = share_points(exercise.rubric, results);
  report.exercise = exercise.spec.slug;
  report.rubric_sha256 = exercise.rubric_sha256;
  report.properties.clear();
  report.cases = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    report.properties.push_back(property_report(exercise, exercise.rubric[i], results[i], shares[i], report));
    report.cases += results[i].cases;
  }
  report.outcome = outcome_of(report.properties);
  set_error(report);
  if (scored && report.outcome != Outcome::internal_error) report.score = total(shares);
  if (report.outcome == Outcome::internal_error && report.error) {
    report.first_message = problem_sentence(Outcome::internal_error, *report.error);
  }
  add_advice(report);
}

// Names the bug, where there is an answer and it is wrong.
void name_the_bug(const Exercise& exercise, Candidate& candidate, const Plan& plan, Report& report) {
  const bool wrong = report.outcome == Outcome::wrong_shape || report.outcome == Outcome::non_deterministic ||
                     report.outcome == Outcome::falsified ||
                     std::any_of(report.properties.begin(), report.properties.end(),
                                 [](const PropertyReport& one) { return one.outcome == Outcome::fragile; });
  if (!wrong || plan.only || exercise.spec.subject != "attention") return;
  Subject subject;
  subject.spec = &exercise.spec;
  subject.dtype = report.dtype;
  std::vector<Question> counterexamples;  // what is shown must be explained, too
  for (const PropertyReport& one : report.properties) {
    if (!one.counterexample || one.advice || !one.verdict.fault.message.empty()) continue;
    const auto& questions = one.counterexample->questions;
    counterexamples.insert(counterexamples.end(), questions.begin(), questions.end());
  }
  const Diagnosis diagnosis = diagnose(subject, candidate, plan.seed, zoo(), counterexamples);
  report.known = diagnosis.known;
  if (diagnosis.suspects.empty()) return;
  const Suspect& first = diagnosis.suspects.front();
  BugReport bug{first.id(), diagnosis.agreed, diagnosis.of, first.parameters, {}, {}, {}, {}, {}};
  const auto add = [](std::string& text, std::string_view words) {
    if (!words.empty()) text += (text.empty() ? "" : "; ") + std::string(words);
  };
  for (const Mutant* row : first.rows) {
    bug.families.emplace_back(row->family);
    add(bug.title, row->what);
    add(bug.ask, advice_about(*row).ask);
    add(bug.fix, advice_about(*row).fix);
  }
  for (std::size_t i = 1; i < diagnosis.suspects.size(); ++i) {
    BugReport::Alike alike{diagnosis.suspects[i].id(), {}};
    for (const Mutant* row : diagnosis.suspects[i].rows) add(alike.title, row->what);
    bug.equivalent.push_back(std::move(alike));
  }
  report.diagnosis.push_back(std::move(bug));
}

void judge(const Exercise& exercise, Candidate& candidate, const Plan& plan, Report& report,
           const Progress& progress, const Examine& examine) {
  std::vector<const Property*> properties;
  for (const Rubric& row : exercise.rubric) properties.push_back(row.property);
  report.exercise = exercise.spec.slug;
  std::vector<PropertyResult> results =
      run(properties, exercise.spec, report.dtype, candidate, plan, progress);
  examine_crashes(examine, results);
  tell(exercise, results, !plan.only, report);
  name_the_bug(exercise, candidate, plan, report);
  examine_values(examine, report);
}

Report grade(const Submission& submission, const Ladder& ladder, const GradeOptions& options,
             const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  Report report;
  report.file = submission.name;
  report.language = to_string(submission.language);
  report.sha256 = submission.sha256;
  report.seed = options.plan.seed;
  report.dtype = options.worker.dtype;
  report.limits = options.worker.limits;
  const std::vector<const Spec*> specs = calls_of(ladder, options);
  if (specs.size() == 1) report.exercise = specs.front()->slug;
  try {
    run_worker(submission, ladder, specs, options, progress, report);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    report.outcome = Outcome::internal_error;
    report.error = Fault{error.what(), "", 0, ""};
    report.first_message = problem_sentence(report.outcome, *report.error);
  }
  sum_up(report);
  if (options.plan.only || report.outcome == Outcome::internal_error) report.score.reset();
  report.wall_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace attest
