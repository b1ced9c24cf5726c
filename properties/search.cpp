#include "properties/search.hpp"

#include "properties/batches.hpp"
#include "properties/generate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <exception>
#include <numeric>
#include <unordered_set>

namespace attest {
namespace {

constexpr double kFragileScore = 1e6;  // what breaks only above it is advice (contract: wrong or fragile)

bool same_failure(const Verdict& a, const Verdict& b) {
  return !b.discarded && a.outcome == b.outcome && a.evidence.kind == b.evidence.kind;
}

bool is_fragile(const Verdict& v) {
  return v.outcome == Outcome::falsified && v.evidence.largest_score > kFragileScore;
}

// Spelled-out numbers can leave the ordinary range while they shrink; drawn ones never do.
bool leaves_ordinary_range(const Property& property, const Case& c) {
  if (property.wild || !c.literal || !find(*c.literal, "w_q") || !find(*c.literal, "w_k")) return false;
  return !(largest_score(attention_inputs(*c.literal)) <= kOrdinaryScore);
}

bool nothing_finite(std::span<const Reply> replies) {
  return std::none_of(replies.begin(), replies.end(), [](const Reply& r) {
    return std::any_of(r.results.begin(), r.results.end(), [](const Named& n) {
      return std::any_of(n.tensor.values.begin(), n.tensor.values.end(),
                         [](double v) { return std::isfinite(v); });
    });
  });
}

// Walks down: the first simpler case that fails in the same way is the next to be simplified.
Counterexample shrink(const Property& property, const Subject& subject, Candidate& candidate,
                      const Plan& plan, const Case& first, Verdict& verdict) {
  Counterexample found;
  found.minimal = first;
  std::unordered_set<std::string> seen{token(*subject.spec, subject.dtype, first)};
  rc::Seq<Case> steps = shrinks(*subject.spec, subject.dtype, first);
  int left = shrink_budget(plan, verdict.outcome);  // of what the outcome makes expensive
  while (auto next = steps.next()) {
    if (left <= 0 || found.evaluations >= plan.shrink_evaluations) break;
    if (!seen.insert(token(*subject.spec, subject.dtype, *next)).second ||
        leaves_ordinary_range(property, *next))
      continue;
    ++found.evaluations;
    Verdict v = evaluate(property, subject, candidate, *next);
    const bool same = same_failure(verdict, v);
    if (same || !costs_a_process(verdict.outcome)) --left;
    if (!same || (is_fragile(v) && !is_fragile(verdict))) continue;
    verdict = std::move(v);
    found.minimal = *next;
    steps = shrinks(*subject.spec, subject.dtype, found.minimal);
  }
  return found;
}

// One tensor with other numbers, the rest as it is.
Case redraw(const Spec& spec, Dtype dtype, const Case& c, const std::string& role, Regime regime,
            std::uint64_t seed) {
  Case other = c;
  other.literal.reset();
  other.zeroed.clear();
  other.regime = regime;
  other.seed = seed;
  const Arguments drawn = materialise(spec, other, dtype);
  Arguments arguments = materialise(spec, c, dtype);
  for (Named& n : arguments) {
    if (n.name == role) n.tensor = get(drawn, role);
  }
  Case mixed = c;
  mixed.literal = std::make_shared<const Arguments>(std::move(arguments));
  return mixed;
}

// Does y show the failure too? With x = 0 a learner who prints y sees nothing.
bool shows_in_y(const Verdict& v) {
  const auto y = v.evidence.compared.find("y");
  return y == v.evidence.compared.end() || y->second.first != y->second.second;
}

// Square tensors become the identity, which is what leaves a weight matrix out of a sum done by hand; others get ones in every
// row, or (not `alike`) the identity cut to their shape.
void fill_with_ones(Tensor& tensor, bool alike) {
  const std::size_t width = static_cast<std::size_t>(tensor.dims.back());
  const bool square = tensor.dims.size() == 2 && tensor.dims[0] == tensor.dims[1];
  for (std::size_t k = 0; k < tensor.values.size(); ++k) {
    tensor.values[k] = (!square && alike) || k / width == k % width ? 1 : 0;
  }
}

// Where everything is 1 the wrong shape looks like the right one: axes that all differ in length tell more.
void present_shape(const Property& property, const Subject& subject, Candidate& candidate, const Plan& plan,
                   Verdict& verdict, Counterexample& found) {
  if (verdict.outcome != Outcome::wrong_shape || plan.shrink_evaluations == 0) return;
  constexpr std::array<Index, 4> kLengths = {3, 2, 4, 5};
  Case c = found.minimal;
  c.literal.reset();
  std::size_t next = 0;
  for (const std::string& symbol : subject.spec->free_symbols())
    c.free[symbol] = kLengths[next++ % kLengths.size()];
  Verdict v = evaluate(property, subject, candidate, c);
  if (!same_failure(verdict, v)) return;
  verdict = std::move(v);
  found.minimal = std::move(c);
}

// All zeros is the smallest case but teaches little: ones in some of the tensors, where the failure stays and y differs as well.
void present(const Property& property, const Subject& subject, Candidate& candidate, const Plan& plan,
             Verdict& verdict, Counterexample& found) {
  if (verdict.outcome != Outcome::falsified || plan.shrink_evaluations == 0 || shows_in_y(verdict)) return;
  const Arguments small = materialise(*subject.spec, found.minimal, subject.dtype);
  std::vector<std::size_t> empty;
  for (std::size_t a = 0; a < small.size(); ++a) {
    const auto& values = small[a].tensor.values;
    if (!small[a].integer && std::all_of(values.begin(), values.end(), [](double v) { return v == 0; }))
      empty.push_back(a);
  }
  std::vector<unsigned> subsets(1u << std::min<std::size_t>(empty.size(), 5));
  std::iota(subsets.begin(), subsets.end(), 0u);
  std::stable_sort(subsets.begin(), subsets.end(),
                   [](unsigned a, unsigned b) { return std::popcount(a) < std::popcount(b); });
  for (const unsigned subset : subsets) {
    for (const bool alike :
         {true, false}) {  // all rows ones, or rows that differ: the identity, cut to shape
      Arguments filled = small;
      for (std::size_t e = 0; e < empty.size(); ++e) {
        if (subset >> e & 1) fill_with_ones(filled[empty[e]].tensor, alike);
      }
      Case c = found.minimal;
      c.literal = std::make_shared<const Arguments>(std::move(filled));
      c.zeroed.clear();
      if (leaves_ordinary_range(property, c)) continue;
      Verdict v = evaluate(property, subject, candidate, c);
      if (!same_failure(verdict, v) || !shows_in_y(v)) continue;
      verdict = std::move(v);
      found.minimal = std::move(c);
      return;
    }
  }
}

// After shrinking: which tensors do not matter?
void explain(const Property& property, const Subject& subject, Candidate& candidate, const Plan& plan,
             const Verdict& verdict, Counterexample& found) {
  if (verdict.outcome != Outcome::falsified || plan.shrink_evaluations == 0)
    return;  // a crash per redraw teaches nothing
  // What is shown is the question; where it was made from the case's numbers, those being free says nothing about it.
  const std::vector<Question> shown = property.ask(subject, found.minimal);
  const Arguments own = materialise(*subject.spec, found.minimal, subject.dtype);
  if (verdict.evidence.question >= shown.size() || shown[verdict.evidence.question].arguments != own) return;
  constexpr std::uint64_t kRedraws = 3;
  for (const ArgumentSpec& a : subject.spec->arguments) {
    if (a.integer) continue;
    bool irrelevant = true;
    for (std::uint64_t i = 0; irrelevant && i <= kRedraws; ++i) {
      const Case other = redraw(*subject.spec, subject.dtype, found.minimal, a.role,
                                i == 0 ? Regime::zeros : Regime::integers, i);
      irrelevant = !leaves_ordinary_range(property, other) &&
                   same_failure(verdict, evaluate(property, subject, candidate, other));
    }
    if (irrelevant) found.irrelevant.push_back(a.role);
  }
}

// Asks an instance that was never called: what comes of it depends on the questions alone.
class Anew final : public Candidate {
 public:
  explicit Anew(Candidate& candidate) : candidate_(candidate) {}
  std::vector<Reply> answer(std::span<const Question> questions) override {
    candidate_.restart();
    return candidate_.answer(questions);
  }
  bool sees_memory_order() const override { return candidate_.sees_memory_order(); }

 private:
  Candidate& candidate_;
};

// Leaves out the earlier calls without which it goes wrong all the same.
void leave_out_of_the_past(const Property& property, const Subject& subject, Candidate& candidate,
                           Verdict& verdict, Counterexample& found) {
  std::size_t next = 0;
  while (is_failure(verdict.outcome) && next < verdict.evidence.question && verdict.evidence.question > 1) {
    std::vector<Question> fewer = found.questions;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(next));
    const Verdict v = judge(property, subject, found.minimal, fewer, candidate.answer(fewer));
    if (!same_failure(verdict, v)) {
      ++next;
      continue;
    }
    verdict = v;
    found.questions = std::move(fewer);
  }
}

// The case, or one with another past, that fails in the same way in an instance that was never called.
std::optional<Case> failing_by_itself(const Property& property, const Subject& subject, Candidate& unused,
                                      const Case& c, Verdict& verdict) {
  std::vector<Case> attempts{c};
  for (std::size_t i = 0; i < std::min(property.choices.size(), c.choices.size()); ++i) {
    for (Index value = 0; value < property.choices[i].range(subject.spec->complete(c.free)); ++value) {
      attempts.push_back(c);
      attempts.back().choices[i].second = value;
    }
  }
  for (const Case& attempt : attempts) {
    Verdict v = evaluate(property, subject, unused, attempt);
    if (!same_failure(verdict, v)) continue;
    verdict = std::move(v);
    return attempt;
  }
  return std::nullopt;
}

// A failing case, confirmed, made small and explained.
void pursue(const Property& property, const Subject& subject, Candidate& used, const Plan& plan,
            const Case& c, Verdict verdict, PropertyResult& result) {
  const int case_number = result.cases;
  Counterexample found;
  found.minimal = c;
  const bool again = same_failure(verdict, evaluate(property, subject, used, c));
  // With a past of its own a case should fail by itself; where it takes more than that, it stays as it was found.
  Anew unused(used);
  const auto alone =
      again && property.has_past ? failing_by_itself(property, subject, unused, c, verdict) : std::nullopt;
  Candidate& candidate = alone ? static_cast<Candidate&>(unused) : used;
  if (again && (alone || !property.has_past)) {
    found = shrink(property, subject, candidate, plan, alone.value_or(c), verdict);
    present_shape(property, subject, candidate, plan, verdict, found);
    present(property, subject, candidate, plan, verdict, found);
    explain(property, subject, candidate, plan, verdict, found);
  } else if (!again && verdict.outcome != Outcome::rejected) {  // once is enough for that
    verdict.outcome = Outcome::non_deterministic;
  }
  found.questions = property.ask(subject, found.minimal);
  if (alone && plan.shrink_evaluations > 0)
    leave_out_of_the_past(property, subject, candidate, verdict, found);
  verdict.evidence.read_out = !subject.returns_weights && verdict.evidence.compared.contains("weights");
  if (alone || !property.has_past) found.token = token(*subject.spec, subject.dtype, found.minimal);
  if (verdict.evidence.question < found.questions.size()) {
    const Question& question = found.questions[verdict.evidence.question];
    found.shape = extents_of(subject.spec->call(question.call), question.arguments);
  }
  found.case_number = case_number;
  result.outcome = is_fragile(verdict) ? Outcome::fragile : verdict.outcome;
  result.verdict = std::move(verdict);
  result.counterexample = std::move(found);
}

}  // namespace

int shrink_budget(const Plan& plan, Outcome outcome) {
  if (outcome == Outcome::timed_out) return std::min(plan.shrink_evaluations, 2);  // somebody waits for each
  if (outcome == Outcome::out_of_memory) return std::min(plan.shrink_evaluations, 6);
  if (outcome == Outcome::crashed || outcome == Outcome::exited) return std::min(plan.shrink_evaluations, 40);
  return plan.shrink_evaluations;
}

Verdict judge(const Property& property, const Subject& subject, const Case& c,
              std::span<const Question> questions, std::span<const Reply> replies) {
  Verdict verdict = judge_replies(subject, questions, replies);
  if (verdict.outcome != Outcome::passed) {
    verdict.discarded |= property.warning;  // nobody is warned of an exception by an exception
    return verdict;
  }
  if (subject.tolerates_nonfinite && nothing_finite(replies)) {  // as if there were no answer
    verdict.discarded = true;
    if (property.group != "state") verdict.outcome = Outcome::falsified;
    return verdict;
  }
  Subject quickly = subject;
  quickly.care = Care::quick;
  verdict = property.judge(quickly, c, questions, replies);
  if (verdict.outcome == Outcome::passed) return verdict;
  return property.judge(subject, c, questions, replies);
}

Verdict evaluate(const Property& property, const Subject& subject, Candidate& candidate, const Case& c) {
  const std::vector<Question> questions = property.ask(subject, c);
  if (questions.empty()) return Verdict::discard();
  const std::vector<Reply> replies = candidate.answer(questions);
  return judge(property, subject, c, questions, replies);
}

struct Search::State {
  Subject subject;
  Plan plan;
  Candidate& candidate;
  Answers* answers;
  Cases cases;
  Batch current, following;
  PropertyResult result;
  bool is_begun = false;

  State(const Property& property, const Subject& about, Candidate& asked, const Plan& planned, Avoid avoid,
        Answers* known)
      : subject(about),
        plan(planned),
        candidate(asked),
        answers(known),
        cases(property, subject, plan, std::move(avoid), known) {
    result.property = &property;
    if (property.warning) plan.shrink_evaluations = 0;  // the fixed shapes are small enough for a remark
  }

  void begin(const Batch& batch) {
    if (batch.questions.empty()) return;
    candidate.begin(batch.questions);
    is_begun = true;
  }

  void drop() {
    if (is_begun) candidate.begin({});
    is_begun = false;
  }

  // True: the search is over.
  bool judge_case(Batch::Asked& asked) {
    const Property& property = *result.property;
    const Verdict verdict = judge(property, subject, asked.value, asked.questions, asked.replies);
    if (verdict.discarded) {
      if (verdict.outcome != Outcome::passed) ++result.left_out;
      return false;
    }
    ++result.cases;
    if (verdict.outcome == Outcome::passed) return false;
    if (result.outcome == Outcome::fragile && is_fragile(verdict))
      return false;  // known; look on for something that is wrong
    pursue(property, subject, candidate, plan, asked.value, verdict, result);
    return result.outcome != Outcome::fragile;
  }

  void remember(Batch& batch) {
    for (const auto& [asked, question, key] : batch.travellers) {
      std::vector<Reply>& replies = batch.cases[asked].replies;
      if (key && question < replies.size()) answers->remember(*key, std::move(replies[question]));
    }
  }
};

Search::Search(const Property& property, const Subject& subject, Candidate& candidate, const Plan& plan,
               Avoid avoid, Answers* answers)
    : state_(std::make_unique<State>(property, subject, candidate, plan, std::move(avoid), answers)) {}

Search::~Search() {
  try {
    state_->drop();
  } catch (const std::exception&) {  // of an interruption whoever waits next hears again
  }
}

const Property& Search::property() const { return *state_->result.property; }

bool Search::begin() {
  if (state_->plan.only && property().has_past) state_->candidate.restart();
  Batch& first = state_->current;
  first = state_->cases.next();
  state_->begin(first);
  return !first.questions.empty() || first.cases.size() >= kMostCases;  // more than that: there may be more
}

PropertyResult Search::finish(const std::function<void()>& nothing_left) {
  State& s = *state_;
  if (s.current.cases.empty()) begin();
  while (!s.current.cases.empty()) {
    // The next batch is computed while this one is judged.
    s.following = s.cases.next();
    s.begin(s.current);
    s.begin(s.following);
    if (s.following.cases.empty() && nothing_left) nothing_left();
    if (!s.current.questions.empty()) come_home(s.candidate.answer(s.current.questions), s.current);
    for (Batch::Asked& asked : s.current.cases) {
      if (asked.replies.empty()) {  // the answers stopped early: go on from here
        s.cases.go_back_to(asked.index);
        s.drop();
        s.following = s.cases.next();
        break;
      }
      if (s.judge_case(asked)) return std::move(s.result);
    }
    if (s.answers) s.remember(s.current);
    s.current = std::move(s.following);
  }
  s.is_begun = false;
  s.result.left_out += s.cases.avoided();
  if (s.result.cases == 0) {  // a pass needs cases
    s.result.outcome = Outcome::skipped;
    s.result.skip_reason = "no case could be judged";
  }
  return std::move(s.result);
}

PropertyResult search(const Property& property, const Subject& subject, Candidate& candidate,
                      const Plan& plan, const Avoid& avoid) {
  return Search(property, subject, candidate, plan, avoid).finish();
}

}  // namespace attest
