// A whole examination: what one failure means for the next property, and which questions are asked when.
#include "properties/run.hpp"

#include "properties/generate.hpp"
#include "properties/mutants/zoo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace attest {
namespace {

const Spec& spec() { return multi_head_attention_spec(); }

// Answers as `f` says; stands for what a process can do wrong.
class Scripted final : public Candidate {
 public:
  explicit Scripted(std::function<Reply(const Question&, int)> f)
      : f_(std::move(f)), right_(in_process([] { return attention_function(Stages<double>{}); })) {}
  std::vector<Reply> answer(std::span<const Question> questions) override {
    std::vector<Reply> replies;
    for (const Question& q : questions) replies.push_back(f_(q, calls_++));
    return replies;
  }
  Reply right(const Question& q) { return right_->answer(std::span(&q, 1)).front(); }

 private:
  std::function<Reply(const Question&, int)> f_;
  std::unique_ptr<Candidate> right_;
  int calls_ = 0;
};

std::vector<PropertyResult> run_all(Candidate& candidate) {
  std::vector<const Property*> all;
  for (const Property& p : catalogue()) all.push_back(&p);
  return run(all, spec(), Dtype::float64, candidate, Plan{});
}

const PropertyResult& result_of(const std::vector<PropertyResult>& results, std::string_view id) {
  return *std::find_if(results.begin(), results.end(),
                       [&](const PropertyResult& r) { return r.property->id == id; });
}

TEST(Run, ReportsACrashOnceAndGoesOnBesideIt) {
  Scripted* self = nullptr;
  Scripted crashes([&](const Question& q, int) {
    if (get(q.arguments, "x").dims[0] < 4) return self->right(q);
    Reply r;
    r.outcome = Outcome::crashed;
    r.fault.message = "segmentation fault";
    return r;
  });
  self = &crashes;
  const auto results = run_all(crashes);
  const PropertyResult& shape = result_of(results, "output/shape");
  EXPECT_EQ(shape.outcome, Outcome::crashed);
  EXPECT_EQ(shape.verdict.fault.message, "segmentation fault");
  EXPECT_EQ(shape.counterexample->shape.at("T"), 4);
  EXPECT_EQ(shape.counterexample->shape.at("d_model"), 1);
  const PropertyResult& rows = result_of(results, "weights/rows-sum-to-one");
  EXPECT_EQ(rows.outcome, Outcome::passed);
  EXPECT_GT(rows.cases, 10);
  EXPECT_EQ(rows.cases + rows.left_out, 200);
}

// Who has broken a rule has done so, whether it comes again or not.
TEST(Run, ABrokenRuleIsNotExcusedByARightAnswer) {
  Scripted* self = nullptr;
  Scripted forges([&](const Question& q, int call) {
    if (call != 30) return self->right(q);
    Reply r;
    r.outcome = Outcome::rejected;
    r.fault.message = "two answers to one question";
    return r;
  });
  self = &forges;
  EXPECT_EQ(result_of(run_all(forges), "output/shape").outcome, Outcome::rejected);
}

// It comes at once, unlike a call without an end: there is no reason to stop asking.
TEST(Run, MemoryThatRunsOutForLongSequencesLeavesTheShortOnes) {
  Scripted* self = nullptr;
  Scripted runs_out([&](const Question& q, int) {
    if (get(q.arguments, "x").dims[0] < 4) return self->right(q);
    Reply r;
    r.outcome = Outcome::out_of_memory;
    return r;
  });
  self = &runs_out;
  EXPECT_GT(result_of(run_all(runs_out), "weights/rows-sum-to-one").cases, 10);
}

// A mask of the first length, kept: longer calls raise. As first calls all of them are right.
TEST(Run, WhatEarlierCallsSpoilIsAFailureOfStateAlone) {
  Scripted* self = nullptr;
  Index kept = 0;
  Scripted keeps([&](const Question& q, int) {
    const Index tokens = get(q.arguments, "x").dims[0];
    if (!q.fresh && kept == 0) kept = tokens;
    if (q.fresh || tokens <= kept) return self->right(q);
    Reply r;
    r.outcome = Outcome::raised;
    r.fault.message = "ValueError: shapes";
    return r;
  });
  self = &keeps;
  const auto results = run_all(keeps);
  for (const PropertyResult& result : results) {
    const bool may_fail = result.property->id == "state/history" || result.property->warning;
    EXPECT_TRUE(may_fail || !is_failure(result.outcome)) << result.property->id;
  }
  EXPECT_EQ(result_of(results, "state/history").outcome, Outcome::raised);
  EXPECT_GT(result_of(results, "state/history").counterexample->questions.size(), 1u);
  EXPECT_EQ(result_of(results, "output/shape").outcome, Outcome::passed);
  EXPECT_EQ(result_of(results, "output/agrees-with-reference").outcome, Outcome::passed);
}

// y alone, and from d_model = 2 on not even that: the error is what is told, not weights that never came.
TEST(Run, TellsTheErrorOfWhatReturnsNoWeights) {
  Scripted* self = nullptr;
  Scripted raises([&](const Question& q, int) {
    Reply r;
    if (get(q.arguments, "x").dims[1] > 1) {
      r.outcome = Outcome::raised;
      r.fault.message = "ValueError: cannot reshape";
      return r;
    }
    r = self->right(q);
    std::erase_if(r.results, [](const Named& n) { return n.name == "weights"; });
    return r;
  });
  self = &raises;
  const auto results = run_all(raises);
  const PropertyResult& shape = result_of(results, "output/shape");
  EXPECT_EQ(shape.outcome, Outcome::raised);
  EXPECT_EQ(shape.verdict.fault.message, "ValueError: cannot reshape");
  EXPECT_EQ(shape.counterexample->shape.at("d_model"), 2);
}

// A worker stops answering at a time-out: what it left out is asked again, and nothing is lost or judged twice.
TEST(Run, GoesOnWhereTheAnswersStopped) {
  class Stops final : public Candidate {
   public:
    std::vector<Reply> answer(std::span<const Question> questions) override {
      std::vector<Reply> replies;
      for (const Question& q : questions) {
        if (get(q.arguments, "x").dims[0] == 33) {
          replies.emplace_back().outcome = Outcome::timed_out;
          return replies;
        }
        replies.push_back(right_->answer(std::span(&q, 1)).front());
      }
      return replies;
    }

   private:
    std::unique_ptr<Candidate> right_ = in_process([] { return attention_function(Stages<double>{}); });
  } stops;
  const auto results = run_all(stops);
  EXPECT_EQ(result_of(results, "output/shape").outcome, Outcome::timed_out);
  EXPECT_EQ(result_of(results, "output/shape").counterexample->shape.at("T"), 33);
  EXPECT_EQ(result_of(results, "weights/rows-sum-to-one").outcome, Outcome::passed);
  EXPECT_GT(result_of(results, "weights/rows-sum-to-one").cases, 150);
}

TEST(Run, SkipsAllWhenNoCallIsAnswered) {
  Scripted raises([](const Question&, int) {
    Reply r;
    r.outcome = Outcome::raised;
    return r;
  });
  const auto results = run_all(raises);
  EXPECT_EQ(results.front().outcome, Outcome::raised);
  for (std::size_t i = 1; i < results.size(); ++i)
    EXPECT_EQ(results[i].outcome, Outcome::skipped) << results[i].property->id;
  EXPECT_EQ(results[1].skip_reason, "no call gave an answer that could be judged");
}

TEST(Run, SkipsWeightsThatCannotBeReadOutThroughAWrongValuePath) {
  Scripted* self = nullptr;
  const auto mutant = in_process(find_mutant("residual-added")->fresh());
  Scripted only_y([&](const Question& q, int) {
    Reply r = mutant->answer(std::span(&q, 1)).front();
    std::erase_if(r.results, [](const Named& n) { return n.name == "weights"; });
    return r;
  });
  self = &only_y;
  const auto results = run_all(*self);
  const PropertyResult& rows = result_of(results, "weights/rows-sum-to-one");
  EXPECT_EQ(rows.outcome, Outcome::skipped);
  EXPECT_EQ(
      rows.skip_reason,
      "weights are read out through y, and values/first-row failed; return (y, weights) to be judged on it");
}

// One call of a thousand, long after the properties of state have held: whoever sees it changes what they said. Not so an error.
TEST(Run, AnAnswerThatChangesLaterIsAFailureOfState) {
  for (const bool is_error : {false, true}) {
    Scripted* self = nullptr;
    Scripted once_wrong([&](const Question& q, int call) {
      Reply r = self->right(q);
      if (call != 450) return r;  // 1 to find out about weights, 400 of state/deterministic
      for (Named& n : r.results) n.tensor.values[0] += 1;
      if (is_error) {
        r.outcome = Outcome::raised;
        r.fault.message = "MemoryError";
      }
      return r;
    });
    self = &once_wrong;
    const auto results = run({find_property("state/deterministic"), find_property("values/first-row")},
                             spec(), Dtype::float64, once_wrong, Plan{});
    // Wrong once, and right as a first call: no failure of its own.
    EXPECT_EQ(results[1].outcome, is_error ? Outcome::non_deterministic : Outcome::passed);
    EXPECT_EQ(results[0].outcome, is_error ? Outcome::passed : Outcome::non_deterministic);
    EXPECT_EQ(results[0].counterexample.has_value(), !is_error);
  }
}

TEST(Run, ArgumentsThatAreChangedLaterAreAFailureOfState) {
  Scripted* self = nullptr;
  Scripted later_impure([&](const Question& q, int call) {
    Reply r = self->right(q);
    if (call != 450 || q.echo) return r;  // 1 to find out about weights, 200 of state/pure
    r.arguments_after = q.arguments;
    r.arguments_after[0].tensor.values[0] += 4;
    return r;
  });
  self = &later_impure;
  const auto results = run({find_property("state/pure"), find_property("state/deterministic")}, spec(),
                           Dtype::float64, later_impure, Plan{});
  ASSERT_EQ(results[0].outcome, Outcome::falsified);
  EXPECT_EQ(results[1].outcome, Outcome::passed);
  EXPECT_EQ(results[0].verdict.evidence.tensor, "x");
  EXPECT_EQ(results[0].verdict.evidence.actual, results[0].verdict.evidence.expected + 4);
  const Counterexample& seen = results[0].counterexample.value();
  ASSERT_EQ(seen.questions.size(), 1u);
  EXPECT_EQ(get(seen.questions[0].arguments, "x").values[0], results[0].verdict.evidence.expected);
  EXPECT_EQ(seen.token, "");  // the case alone does not bring it about
}

TEST(Run, NamesAnAnswerThatChangesFromCallToCall) {
  Scripted* self = nullptr;
  Scripted drifts([&](const Question& q, int call) {
    Reply r = self->right(q);
    r.results[0].tensor.values[0] += 1e-3 * call;
    return r;
  });
  self = &drifts;
  const auto results = run_all(drifts);
  EXPECT_EQ(result_of(results, "state/deterministic").outcome, Outcome::falsified);
  EXPECT_EQ(result_of(results, "weights/rows-sum-to-one").outcome, Outcome::skipped);
}

// One head's weights in place of all: said once, and the rest is judged by y.
TEST(Run, GoesOnWithYWhenTheWeightsHaveAWrongShape) {
  Scripted* self = nullptr;
  Scripted first_head([&](const Question& q, int) {
    Reply r = self->right(q);
    if (r.results.size() == 2) r.results[1].tensor = Tensor::from(Matrix(r.results[1].tensor.slice(0)));
    return r;
  });
  self = &first_head;
  const auto results = run_all(first_head);
  EXPECT_EQ(results[0].outcome, Outcome::wrong_shape);
  EXPECT_EQ(results[0].verdict.evidence.tensor, "weights");
  for (const std::string_view id :
       {"weights/rows-sum-to-one", "scores/log-ratios", "output/agrees-with-reference"}) {
    EXPECT_EQ(result_of(results, id).outcome, Outcome::passed) << id;
    EXPECT_GT(result_of(results, id).cases, 50) << id;
  }
}

TEST(Run, NamesAMissingShapeInWords) {
  Scripted* self = nullptr;
  Scripted transposed([&](const Question& q, int) {
    Reply r = self->right(q);
    std::swap(r.results[0].tensor.dims[0], r.results[0].tensor.dims[1]);
    return r;
  });
  self = &transposed;
  const auto results = run_all(transposed);
  EXPECT_EQ(results[0].outcome, Outcome::wrong_shape);
  EXPECT_EQ(results[0].verdict.fault.message, "y has shape (8, 3); it must be (T, d_model) = (3, 8)");
}

// --- what is asked, and when ---

// Right answers, and a list of what was begun and answered: "b20" for 20 questions that were begun, "a20" for as many answers.
class Listed final : public Candidate {
 public:
  explicit Listed(std::function<AttentionFunction()> make) : inner_(in_process(std::move(make))) {}
  std::vector<Reply> answer(std::span<const Question> questions) override {
    const bool was_begun = std::find(begun_.begin(), begun_.end(), questions.data()) != begun_.end();
    EXPECT_TRUE(!was_begun || begun_.front() == questions.data()) << "overtaken by what was begun after it";
    if (!was_begun) begun_.clear();  // others are wanted
    if (!begun_.empty()) begun_.pop_front();
    log.push_back("a" + std::to_string(questions.size()));
    calls += questions.size();
    return inner_->answer(questions);
  }
  void begin(std::span<const Question> questions) override {
    if (questions.empty()) begun_.clear();
    if (questions.empty() || std::find(begun_.begin(), begun_.end(), questions.data()) != begun_.end())
      return;
    EXPECT_LT(begun_.size(), 2u);
    begun_.push_back(questions.data());
    log.push_back("b" + std::to_string(questions.size()));
  }
  std::vector<std::string> log;
  std::size_t calls = 0;

 private:
  std::unique_ptr<Candidate> inner_;
  std::deque<const Question*> begun_;
};

// Is interrupted in everything that it waits for: its answers, and the end of those that nobody wants any more.
class Interrupted final : public Candidate {
 public:
  std::vector<Reply> answer(std::span<const Question>) override { throw std::runtime_error("interrupted"); }
  void begin(std::span<const Question> questions) override {
    if (questions.empty()) throw std::runtime_error("interrupted again");
  }
};

TEST(Search, AnInterruptionIsHeardOnceAndEndsNothingElse) {
  Interrupted candidate;
  Search search(*find_property("output/shape"), {&spec(), Dtype::float64}, candidate, {});
  try {
    search.finish();
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "interrupted");
  }
}  // and the search goes

AttentionFunction right_attention() { return attention_function(Stages<double>{}); }

std::vector<PropertyResult> run_some(Candidate& candidate, const std::vector<std::string_view>& ids,
                                     int cases) {
  std::vector<const Property*> properties;
  for (const std::string_view id : ids) properties.push_back(find_property(id));
  Plan plan;
  plan.cases = cases;
  return run(properties, spec(), Dtype::float64, candidate, plan);
}

// One call finds out whether weights are returned. Some cases of the first property are long sequences, where the last has drawn ones; the
// others are the same. What stands between is drawn before it is known that the state properties hold.
TEST(Run, AsksASteadyImplementationEachQuestionOnce) {
  std::vector<std::string_view> ids = {"weights/rows-sum-to-one", "weights/in-unit-interval"};
  Listed unknown(right_attention), before(right_attention), steady(right_attention);
  run_some(unknown, ids, 20);
  EXPECT_EQ(unknown.calls, 1u + 20 + 20) << "whether it is steady is not known";
  ids = {"weights/rows-sum-to-one", "state/deterministic", "state/history", "values/first-row"};
  run_some(before, ids, 20);
  ids.push_back("weights/in-unit-interval");
  const PropertyResult last = run_some(steady, ids, 20).back();
  std::size_t others = 0;
  for (int i = 0; i < 20; ++i) {
    const auto drawn = [&](std::string_view id) {
      return drawn_case(spec(), *find_property(id), Plan{}.seed, i);
    };
    others += drawn("weights/rows-sum-to-one") == drawn("weights/in-unit-interval") ? 0 : 1;
  }
  EXPECT_LT(others, 10u);
  EXPECT_EQ(steady.calls - before.calls, others);
  EXPECT_EQ(last.outcome, Outcome::passed);
  EXPECT_EQ(last.cases, 20);
}

// Each of these calls costs a process. Where first calls are steady, the same first call need not be made again.
TEST(Run, AsksWhatEarlierCallsSpoilEachQuestionOnce) {
  const std::vector<std::string_view> ids = {"state/deterministic", "state/history",
                                             "weights/rows-sum-to-one"};
  const auto first_calls = [&](std::vector<std::string_view> properties) {
    int first = 0;
    Scripted* self = nullptr;
    Scripted spoiled([&](const Question& q, int call) {
      Reply r = self->right(q);
      first += q.fresh ? 1 : 0;
      if (!q.fresh && call > 0) r.results[0].tensor.values[0] += 1;
      return r;
    });
    self = &spoiled;
    const auto results = run_some(spoiled, properties, 60);
    EXPECT_EQ(results[1].outcome, Outcome::falsified);
    for (const PropertyResult& result : std::span(results).subspan(2)) {
      EXPECT_EQ(result.outcome, Outcome::passed);
      EXPECT_EQ(result.cases, kFewestCases);
    }
    return first;
  };
  std::vector<std::string_view> more = ids;
  more.push_back("weights/in-unit-interval");
  int others = 0;
  for (int i = 0; i < kFewestCases; ++i) {
    const auto drawn = [&](std::string_view id) {
      return drawn_case(spec(), *find_property(id), Plan{}.seed, i);
    };
    others += drawn(ids[2]) == drawn(more[3]) ? 0 : 1;
  }
  EXPECT_LT(others, kFewestCases / 2);
  EXPECT_EQ(first_calls(more) - first_calls(ids), others);
}

TEST(Run, BeginsWithTheNextPropertyBeforeTheLastAnswersOfThisOne) {
  Listed candidate(right_attention);
  run_some(candidate, {"weights/rows-sum-to-one", "weights/uniform-when-query-is-zero"}, 12);
  EXPECT_EQ(candidate.log, (std::vector<std::string>{"a1", "b12", "b12", "a12", "a12"}));
}

// What was begun in the expectation that a property holds is dropped when it does not, and asked again.
TEST(Run, JudgesTheNextPropertyAlikeWhenThisOneFails) {
  const auto mutant = find_mutant("mask-after-softmax")->fresh();
  Listed after(mutant), alone(mutant);
  const auto both = run_some(after, {"weights/rows-sum-to-one", "weights/uniform-when-query-is-zero"}, 12);
  const auto one = run_some(alone, {"weights/uniform-when-query-is-zero"}, 12);
  EXPECT_EQ(both[0].outcome, Outcome::falsified);
  ASSERT_EQ(both[1].outcome, one[0].outcome);
  EXPECT_EQ(both[1].cases, one[0].cases);
  EXPECT_EQ(both[1].counterexample->token, one[0].counterexample->token);
}

}  // namespace
}  // namespace attest
