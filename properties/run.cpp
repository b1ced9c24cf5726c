#include "properties/run.hpp"

#include "properties/generate.hpp"
#include "properties/readout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace attest {
namespace {

constexpr int kFreshShrinks = 40;  // each starts a process

// Counts the answers that never came, so that a submission which hangs everywhere does not hang everything.
class Counting final : public Candidate {
 public:
  Counting(Candidate& inner, std::function<void()> tick) : inner_(inner), tick_(std::move(tick)) {}
  std::vector<Reply> answer(std::span<const Question> questions) override {
    if (tick_) tick_();
    std::vector<Question> alone;
    if (fresh_) {
      alone.assign(questions.begin(), questions.end());
      for (Question& question : alone) question.fresh = true;
      questions = alone;
    }
    auto replies = inner_.answer(questions);
    for (const Reply& r : replies) {
      if (r.outcome == Outcome::timed_out) ++slow_;
      if (costs_a_process(r.outcome)) ++lost_;
    }
    for (std::size_t q = 0; q < replies.size(); ++q) {
      Reply& r = replies[q];
      std::erase_if(r.results, [&](const Named& n) { return n.name == hidden_; });
      if (questions[q].echo || r.arguments_after.empty()) continue;
      if (!changed_) changed_.emplace(questions[q], r);
      r.arguments_after.clear();
    }
    return replies;
  }
  void begin(std::span<const Question> questions) override {
    if (!fresh_ || questions.empty()) inner_.begin(questions);
  }
  void restart() override { inner_.restart(); }
  bool sees_memory_order() const override { return inner_.sees_memory_order(); }
  // From now on it is as if this result were not returned.
  void hide(std::string name) { hidden_ = std::move(name); }
  // Whether every question goes to an instance that has never been called.
  void ask_fresh(bool fresh) { fresh_ = fresh; }
  // The first call that changed its arguments when no property looked at them.
  const std::optional<std::pair<Question, Reply>>& changed() const { return changed_; }
  bool exhausted() const { return slow_ > 12 || lost_ > 200; }

 private:
  Candidate& inner_;
  std::function<void()> tick_;
  std::string hidden_;
  std::optional<std::pair<Question, Reply>> changed_;
  bool fresh_ = false;
  int slow_ = 0, lost_ = 0;
};

// The calls that failed in the first property: what later ones do about them.
struct Faults {
  bool seen = false;        // some call gave no answer, or one of the wrong shape
  bool everywhere = false;  // every call did
  Outcome outcome = Outcome::passed;
  Extents minimal;

  // Expensive failures are kept away from: every call at least as large as the smallest failing one.
  bool avoids(const Spec& spec, std::span<const Question> questions) const {
    if (!seen || !costs_a_process(outcome)) return false;
    return std::any_of(questions.begin(), questions.end(), [&](const Question& question) {
      const Extents asked = extents_of(spec.call(question.call), question.arguments);
      return std::all_of(minimal.begin(), minimal.end(), [&](const auto& e) {
        const auto it = asked.find(e.first);
        return it != asked.end() && it->second >= e.second;
      });
    });
  }
};

class Run {
 public:
  Run(const Spec& spec, Dtype dtype, Candidate& candidate, const Plan& plan, std::function<void()> tick)
      : candidate_(candidate, std::move(tick)), plan_(plan) {
    subject_ = {&spec, dtype, true, candidate.sees_memory_order()};
    subject_.returns_weights = returns_weights();
  }

  // `after`: the properties that come after this one.
  PropertyResult judge(const Property& property, std::span<const Property* const> after) {
    PropertyResult result;
    result.property = &property;
    result.outcome = Outcome::skipped;
    result.skip_reason = reason_not_to_apply(property);
    result.applies = result.skip_reason.empty();
    if (result.applies) result.skip_reason = reason_to_skip(property);
    if (result.skip_reason.empty()) {
      if (begins_values(property)) {
        candidate_.restart();
        answers_.forget();  // those of the instance before
        values_begun_ = true;
      }
      const std::unique_ptr<Search> search = begun_or_new(property);
      candidate_.ask_fresh(is_asked_fresh(property));
      result = search->finish([&] { begin(after); });
      if (is_failure(result.outcome))
        begun_.clear();  // what comes after may be asked otherwise, or not at all
      if (comes_of_earlier_calls(property, result)) {
        spoiled_ = std::move(result);
        return judge(property, after);
      }
      if (is_failure(result.outcome) && result.outcome != Outcome::falsified && !faults_.seen &&
          property.group != "state")  // of state: first calls may be answered
        note_faults(property, result);
    }
    outcomes_[std::string(property.id)] = result.outcome;
    if (passed("state/deterministic") && passed("state/history")) answers_.trust();
    return result;
  }

  // What no property of state saw another one may: a call that is answered otherwise after others, or when it is made again. (Of errors
  // only those that came again: others may be a busy machine's.)
  void tell_of_changing_answers(std::vector<PropertyResult>& results) {
    if (failed("state/deterministic") || failed("state/history")) return;
    const auto changing = std::find_if(results.begin(), results.end(), [](const PropertyResult& r) {
      return r.outcome == Outcome::non_deterministic && !r.property->warning &&
             r.verdict.fault.message.empty();
    });
    const PropertyResult* seen = spoiled_ ? &*spoiled_ : changing != results.end() ? &*changing : nullptr;
    if (seen == nullptr) return;
    const bool changes = seen->outcome == Outcome::non_deterministic;
    const auto row = std::find_if(results.begin(), results.end(), [&](const PropertyResult& r) {
      return r.property->id == (changes ? "state/deterministic" : "state/history") && r.applies;
    });
    if (row == results.end()) return;
    row->outcome = seen->outcome;
    row->verdict = seen->verdict;
    row->counterexample = seen->counterexample;
    row->counterexample->token.clear();  // the case alone does not bring it about
    if (!row->verdict.fault.message.empty())
      row->verdict.fault.message += " (after other calls; as a first call it gives a result)";
  }

  // Calls that leave their arguments alone when they are asked first, and not later.
  void tell_of_changed_arguments(std::vector<PropertyResult>& results) const {
    if (!candidate_.changed()) return;
    const auto& [question, reply] = *candidate_.changed();
    const auto row = std::find_if(results.begin(), results.end(),
                                  [](const PropertyResult& r) { return r.property->id == "state/pure"; });
    if (row == results.end() || row->outcome != Outcome::passed) return;
    Verdict verdict = row->property->judge(subject_, {}, std::span(&question, 1), std::span(&reply, 1));
    if (verdict.outcome == Outcome::passed) return;
    verdict.evidence.transform = "after other calls; the first ones leave their arguments alone";
    row->outcome = verdict.outcome;
    row->verdict = std::move(verdict);
    row->counterexample.emplace();
    row->counterexample->questions = {question};
    row->counterexample->shape = extents_of(subject_.spec->call(question.call), question.arguments);
    row->counterexample->minimal.free = row->counterexample->shape;
    row->counterexample->minimal.literal = std::make_shared<const Arguments>(question.arguments);
  }

 private:
  // Where earlier calls spoil later ones, each call is the first of its process. Properties of state are about just that.
  bool is_asked_fresh(const Property& property) const { return unsteady() && property.group != "state"; }

  // Whether a first call answers what failed after others: then it is no failure of this property.
  bool comes_of_earlier_calls(const Property& property, const PropertyResult& result) {
    if (!is_failure(result.outcome) || !result.counterexample || property.group == "state" ||
        property.warning || unsteady() || plan_.only || result.outcome == Outcome::timed_out ||
        result.outcome == Outcome::out_of_memory || result.outcome == Outcome::rejected ||
        (result.outcome == Outcome::non_deterministic && !result.verdict.fault.message.empty()))
      return false;  // an error that does not come again may be a busy machine's
    candidate_.ask_fresh(true);
    const Verdict first = evaluate(property, subject_, candidate_, result.counterexample->minimal);
    candidate_.ask_fresh(false);
    return first.outcome == Outcome::passed && !first.discarded;
  }

  std::unique_ptr<Search> search_with(const Property& property) {
    Plan plan = plan_;
    if (is_asked_fresh(property)) {  // that is slow: fewer cases
      plan.cases = kFewestCases;
      plan.shrink_evaluations = std::min(plan.shrink_evaluations, kFreshShrinks);
    }
    // What fails after other calls only is for the property that shows these calls.
    subject_.tolerates_faults = faults_.seen || (spoiled_ && property.group == "state" && !property.has_past);
    subject_.tolerates_nonfinite = failed("output/finite");
    // Properties of state ask again on purpose.
    Answers* answers = property.group == "state" ? nullptr : &answers_;
    return std::make_unique<Search>(
        property, subject_, candidate_, plan,
        [this](std::span<const Question> questions) { return faults_.avoids(*subject_.spec, questions); },
        answers);
  }

  // What comes before compares answers with one another only. Whether they are right is asked from an instance's first call on: what is
  // wrong in a thousand calls and right in all that follow is wrong.
  bool begins_values(const Property& property) const { return !values_begun_ && !property.subject.empty(); }

  std::unique_ptr<Search> begun_or_new(const Property& property) {
    if (begun_.empty() || &begun_.front()->property() != &property) return search_with(property);
    std::unique_ptr<Search> search = std::move(begun_.front());
    begun_.pop_front();
    return search;
  }

  // Begins the next searches until the candidate has something to answer, in the expectation that what is judged before them holds.
  void begin(std::span<const Property* const> after) {
    if (!begun_.empty() || unsteady()) return;
    for (const Property* property : after) {
      if (!reason_not_to_apply(*property).empty() || !reason_to_skip(*property).empty()) continue;
      if (begins_values(*property) || (plan_.only && property->has_past))
        return;  // it begins with a new instance
      begun_.push_back(search_with(*property));
      if (begun_.back()->begin()) return;
    }
  }

  // One small call decides, the first that gives an answer. Where none does, that is what will be told.
  bool returns_weights() {
    if (!subject_.spec->result("weights")) return false;
    for (const Index extent : {2, 1, 3}) {
      Case c = plan_.only.value_or(Case{});
      if (!plan_.only) {
        for (const std::string& symbol : subject_.spec->free_symbols()) c.free[symbol] = extent;
      }
      const std::vector<Question> questions{{materialise(*subject_.spec, c, subject_.dtype)}};
      const Reply reply = candidate_.answer(questions).at(0);
      if (reply.outcome == Outcome::passed) return find(reply.results, "weights") != nullptr;
      if (plan_.only || reply.outcome == Outcome::timed_out) break;
    }
    return true;
  }

  std::string reason_not_to_apply(const Property& property) const {
    if ((!property.subject.empty() && property.subject != subject_.spec->subject) ||
        (property.applies && !property.applies(subject_)))
      return "it does not apply to this exercise or signature";
    if (property.needs_oracle && !plan_.use_oracle) return "it needs the reference";
    if (property.needs_weights && !subject_.spec->result("weights")) return "this exercise has no weights";
    if (property.needs_returned_weights && !subject_.returns_weights)
      return "it speaks of the weights that are returned; return (y, weights) to be judged on it";
    return {};
  }

  std::string reason_to_skip(const Property& property) {
    if (faults_.everywhere) return "no call gave an answer that could be judged";
    if (candidate_.exhausted()) return "too many calls crashed or ran out of time to judge any further";
    if (property.needs_weights && !subject_.returns_weights) {
      for (const std::string_view id : kReadOutRests) {
        if (failed(id))
          return fmt::format(
              "weights are read out through y, and {} failed; return (y, weights) to be judged on it", id);
      }
    }
    if (property.needs_steady_answers && unsteady() && (property.group == "state" || !steady_when_fresh())) {
      return "answers change from call to call, so nothing can be compared";
    }
    for (const std::string_view id : property.prerequisites) {
      if (failed(id)) return fmt::format("{} failed", id);
    }
    return {};
  }

  bool passed(std::string_view id) const {
    const auto it = outcomes_.find(id);
    return it != outcomes_.end() && it->second == Outcome::passed;
  }
  bool unsteady() const { return spoiled_ || failed("state/deterministic") || failed("state/history"); }

  // Do first calls at least give the same answer again?
  bool steady_when_fresh() {
    if (!steady_when_fresh_) {
      candidate_.ask_fresh(true);
      Plan plan = plan_;
      plan.cases = kFewestCases;
      plan.shrink_evaluations = 0;
      const Property& same_again = *find_property("state/deterministic");
      steady_when_fresh_ = search(same_again, subject_, candidate_, plan).outcome == Outcome::passed;
      answers_.forget();  // those with a past
      if (*steady_when_fresh_) answers_.trust();
    }
    return *steady_when_fresh_;
  }

  bool failed(std::string_view id) const {
    const auto it = outcomes_.find(id);
    return it != outcomes_.end() && is_failure(it->second);
  }

  // Does anything work? The fixed small shapes tell.
  void note_faults(const Property& property, const PropertyResult& result) {
    if (result.outcome == Outcome::wrong_shape && result.verdict.evidence.tensor == "weights") {
      // y may still be right: go on as if it had come alone, and read the weights out of it.
      candidate_.hide("weights");
      answers_.forget();
      subject_.returns_weights = false;
      return;
    }
    faults_.seen = true;
    faults_.outcome = result.outcome;
    if (result.counterexample) faults_.minimal = result.counterexample->minimal.free;
    if (plan_.only) {
      faults_.everywhere = true;
      return;
    }
    constexpr int kProbes = 8;
    faults_.everywhere = true;
    for (int i = 0; i < kProbes && faults_.everywhere; ++i) {
      const Case c = drawn_case(*subject_.spec, property, plan_.seed, i);
      if (faults_.avoids(*subject_.spec, property.ask(subject_, c))) continue;
      faults_.everywhere = evaluate(property, subject_, candidate_, c).outcome != Outcome::passed;
    }
  }

  Subject subject_;
  Counting candidate_;
  Answers answers_;
  std::deque<std::unique_ptr<Search>> begun_;  // of properties that come next
  const Plan& plan_;
  Faults faults_;
  bool values_begun_ = false;
  std::optional<PropertyResult> spoiled_;  // what failed after other calls, and not as a first one
  std::optional<bool> steady_when_fresh_;
  std::map<std::string, Outcome, std::less<>> outcomes_;
};

}  // namespace

std::vector<PropertyResult> run(const std::vector<const Property*>& properties, const Spec& spec, Dtype dtype,
                                Candidate& candidate, const Plan& plan, const Progress& progress) {
  std::vector<PropertyResult> results;
  const auto tick = [&] {
    if (progress) progress(results.size(), properties.size());
  };
  Run examination(spec, dtype, candidate, plan, tick);
  for (std::size_t i = 0; i < properties.size(); ++i) {
    tick();
    results.push_back(examination.judge(*properties[i], std::span(properties).subspan(i + 1)));
  }
  tick();
  examination.tell_of_changing_answers(results);
  examination.tell_of_changed_arguments(results);
  return results;
}

}  // namespace attest
