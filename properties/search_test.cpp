// Searching and shrinking: what is found, how small it gets, and that nothing depends on more than it should.
#include "properties/search.hpp"

#include "properties/generate.hpp"
#include "properties/mutants/zoo.hpp"
#include "properties/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

namespace attest {
namespace {

const Spec& spec() { return multi_head_attention_spec(); }

PropertyResult search_mutant(std::string_view mutant, std::string_view property, Plan plan = {}) {
  const Subject subject{&spec(), Dtype::float64};
  const auto candidate = in_process(find_mutant(mutant)->fresh());
  return search(*find_property(property), subject, *candidate, plan);
}

TEST(Generate, MakesCaseIFromSeedAndIndexAlone) {
  const Property& p = *find_property("weights/rows-sum-to-one");
  for (const int i : {0, 5, 30, 199}) {
    EXPECT_EQ(case_at(spec(), p, Dtype::float64, 3, i).value(),
              case_at(spec(), p, Dtype::float64, 3, i).value());
    EXPECT_FALSE(case_at(spec(), p, Dtype::float64, 3, i).value() ==
                 case_at(spec(), p, Dtype::float64, 4, i).value());
  }
}

TEST(Generate, BeginsWithTheSmallestCaseAndReaches129Tokens) {
  const Property& p = *find_property("weights/rows-sum-to-one");
  EXPECT_EQ(case_at(spec(), p, Dtype::float64, 1, 0).value().free,
            (Extents{{"T", 1}, {"n_heads", 1}, {"d_head", 1}}));
  Index longest = 0;
  for (int i = 0; i < Plan{}.cases; ++i)
    longest = std::max(longest, case_at(spec(), p, Dtype::float64, 1, i).value().free.at("T"));
  EXPECT_EQ(longest, 129);
}

// P28: what is cut into blocks or tiles of 2^k goes wrong at their edges.
TEST(Generate, MeetsEveryEdgeOfBlocksUpTo128WhereWholeSequencesCount) {
  for (const char* id : {"weights/uniform-when-query-is-zero", "weights/order-of-the-past",
                         "causality/future-tokens-replaced"}) {
    const Property& p = *find_property(id);
    std::set<Index> lengths;
    for (int i = 0; i < (p.most_cases > 0 ? p.most_cases : Plan{}.cases); ++i)
      lengths.insert(drawn_case(spec(), p, 1, i).free.at("T"));
    for (Index edge = 2; edge <= 128; edge *= 2) {
      for (const Index tokens : {edge - 1, edge, edge + 1})
        EXPECT_TRUE(lengths.contains(tokens)) << id << tokens;
    }
  }
}

// By y alone as well, though so many weights are never read out: a window of 100 is wrong from the 101st token on.
TEST(Search, FindsAWindowThatOnlyLongSequencesShow) {
  class OnlyY final : public Candidate {
   public:
    std::vector<Reply> answer(std::span<const Question> questions) override {
      auto replies = window_->answer(questions);
      for (Reply& r : replies) std::erase_if(r.results, [](const Named& n) { return n.name == "weights"; });
      return replies;
    }

   private:
    std::unique_ptr<Candidate> window_ = in_process([] {
      Stages<double> stages;
      stages.mask = [](const Inputs<double>&, Trace<double>& t) {
        t.masked = t.scaled;
        for (Matrix& head : t.masked) {
          for (Index i = 0; i < head.rows(); ++i) {
            for (Index j = 0; j < head.cols(); ++j) {
              if (j > i || i - j >= 100) head(i, j) = -std::numeric_limits<double>::infinity();
            }
          }
        }
      };
      return attention_function(std::move(stages));
    });
  };
  OnlyY candidate;
  const Subject subject{&spec(), Dtype::float64, false};
  Plan plan;
  plan.shrink_evaluations = 0;  // whether it is found
  const PropertyResult result =
      search(*find_property("weights/uniform-when-query-is-zero"), subject, candidate, plan);
  ASSERT_EQ(result.outcome, Outcome::falsified);
  EXPECT_GT(result.counterexample->shape.at("T"), 100);
  EXPECT_GE(result.verdict.evidence.index[0], 100);
}

TEST(Generate, ShrinksOnlyToSmallerCases) {
  const Property& p = *find_property("causality/truncation-invariance");
  const Case c = case_at(spec(), p, Dtype::float64, 1, 8).value();
  const auto size = [](const Case& x) { return x.free.at("T") * x.free.at("n_heads") * x.free.at("d_head"); };
  auto steps = shrinks(spec(), Dtype::float64, c);
  int n = 0;
  while (const auto next = steps.next()) {
    ++n;
    EXPECT_LE(size(*next), size(c));
    check_fits(spec(), *next);
  }
  EXPECT_GT(n, 20);
}

// Dropping head 0 of two takes its columns out of every matrix: d_model 4 = 2 heads of 2 keeps columns 2 and 3.
TEST(Generate, DropsAHeadWithItsColumns) {
  Case c;
  c.free = {{"T", 1}, {"n_heads", 2}, {"d_head", 2}};
  c.regime = Regime::signs;
  const Matrix x = get(materialise(spec(), c, Dtype::float64), "x").matrix();
  auto steps = shrinks(spec(), Dtype::float64, c);
  bool seen = false;
  while (const auto next = steps.next()) {
    if (!next->literal || next->free.at("n_heads") != 1) continue;
    seen = true;
    EXPECT_EQ(Matrix(get(*next->literal, "x").matrix()), Matrix(x.rightCols(2)));
    break;
  }
  EXPECT_TRUE(seen);
}

// By hand: two equal scores, the hidden one counted and then zeroed, leave row 0 with 1/2.
TEST(Search, ShrinksAMaskAfterTheSoftmaxToTwoTokensAndAHalf) {
  const PropertyResult r = search_mutant("mask-after-softmax", "weights/rows-sum-to-one");
  ASSERT_EQ(r.outcome, Outcome::falsified);
  EXPECT_EQ(r.counterexample->shape, (Extents{{"T", 2}, {"n_heads", 1}, {"d_head", 1}, {"d_model", 1}}));
  EXPECT_EQ(r.verdict.evidence.index, (std::vector<Index>{0, 0}));
  EXPECT_EQ(r.verdict.evidence.expected, 1);
  EXPECT_EQ(r.verdict.evidence.actual, 0.5);
  const auto& [should_be, is] = r.verdict.evidence.compared.at("y");
  EXPECT_NE(should_be, is) << "a learner who prints y must see it, too";
}

// By hand: d_head = 2, no scaling: slope 1 in place of 1 / sqrt 2.
TEST(Search, MeasuresTheMissingScale) {
  const PropertyResult r = search_mutant("scale-missing", "scores/scaled-by-d-head");
  ASSERT_EQ(r.outcome, Outcome::falsified);
  EXPECT_NEAR(r.verdict.evidence.actual, 1, 1e-12);
  EXPECT_NEAR(r.verdict.evidence.expected, 0.70710678118654752, 1e-15);
  EXPECT_EQ(r.counterexample->shape.at("d_head"), 2);
}

// w_o = 0 must give y = 0 and does not: x and w_v make it visible, the others may be anything.
TEST(Search, SaysWhichTensorsDoNotMatter) {
  const PropertyResult r = search_mutant("wo-missing", "values/linear-in-w-o");
  EXPECT_EQ(r.counterexample->irrelevant, (std::vector<std::string>{"w_q", "w_k", "w_o"}));
}

TEST(Search, CallsWhatBreaksOnlyAboveAMillionFragile) {
  EXPECT_EQ(search_mutant("mask-fill-1e9", "numerics/large-scores").outcome, Outcome::fragile);
  EXPECT_EQ(search_mutant("mask-fill-1e4", "numerics/large-scores").outcome, Outcome::falsified);
}

// Two heads lose to a key in proportion, each to its own: if one loses more, their mean loses more where that one has its weight. So it
// takes two heads, a key and two others.
TEST(Search, SeesWeightsThatAreAveragedOverHeadsByTheirRatios) {
  const PropertyResult result = search_mutant("weights-averaged", "scores/ratios-of-others");
  ASSERT_EQ(result.outcome, Outcome::falsified);
  EXPECT_EQ(result.counterexample->shape.at("n_heads"), 2);
  EXPECT_EQ(result.counterexample->shape.at("T"), 3);
  // A scale, a mask or a matrix that is wrong is none of its business.
  for (const char* mutant :
       {"scale-missing", "mask-none", "qk-swapped", "softmax-over-queries", "wq-transposed"})
    EXPECT_EQ(search_mutant(mutant, "scores/ratios-of-others").outcome, Outcome::passed) << mutant;
}

// A plain product of weights and values is right, and worth a remark.
TEST(Search, WarnsOfAHiddenNanAndOfNoException) {
  const Property& warning = *find_property("causality/hidden-nan");
  ASSERT_TRUE(warning.warning);
  const PropertyResult result = search_mutant("masked-nan-leaks", warning.id);
  EXPECT_EQ(result.outcome, Outcome::falsified);
  EXPECT_EQ(result.counterexample->evaluations, 0);
  const Subject subject{&spec(), Dtype::float64};
  const auto careful = in_process([]() -> AttentionFunction {
    return [](Inputs<double>& in) {
      Answer<double> answer = causal_multi_head_attention(in).answer();
      for (Index i = in.tokens() - 1; i > 0 && !in.x.row(i).allFinite(); --i) {
        Inputs<double> before = in;
        before.x = Matrix(in.x.topRows(i));
        answer.y.topRows(i) = causal_multi_head_attention(before).y;
      }
      return answer;
    };
  });
  EXPECT_EQ(search(warning, subject, *careful, {}).outcome, Outcome::passed);
  const auto refuses = in_process([]() -> AttentionFunction {
    return [](Inputs<double>& in) {
      if (!in.x.allFinite()) throw std::invalid_argument("x must be finite");
      return causal_multi_head_attention(in).answer();
    };
  });
  EXPECT_EQ(search(warning, subject, *refuses, {}).outcome, Outcome::skipped);
}

TEST(Search, KeepsToItsBudget) {
  Plan plan;
  plan.shrink_evaluations = 5;
  EXPECT_EQ(search_mutant("mask-none", "weights/upper-triangle-zero", plan).counterexample->evaluations, 5);
}

TEST(Search, ReproducesTheFailureFromItsToken) {
  const PropertyResult found = search_mutant("split-interleaved", "heads/own-block-only");
  Plan plan;
  plan.only = parse_token(found.counterexample->token).value;
  plan.shrink_evaluations = 0;
  const PropertyResult again = search_mutant("split-interleaved", "heads/own-block-only", plan);
  EXPECT_EQ(again.outcome, Outcome::falsified);
  EXPECT_EQ(again.cases, 1);
  EXPECT_EQ(again.verdict.evidence.actual, found.verdict.evidence.actual);
}

// The mask of the first call is kept: whoever asks the case itself first, as a run does, has the right mask for it.
TEST(Search, ShowsAgainFromTheTokenAloneWhatTakesAnEarlierCall) {
  const Property& history = *find_property("state/history");
  for (const char* mutant : {"mask-cache-stale", "memo-by-shape", "kv-leak"}) {
    const PropertyResult found = search_mutant(mutant, "state/history");
    ASSERT_EQ(found.outcome, Outcome::falsified) << mutant;
    // One earlier call is enough, then the call itself, and the same one to an instance that was never called.
    EXPECT_EQ(found.counterexample->questions.size(), 3u) << mutant;
    EXPECT_EQ(found.verdict.evidence.question, 1u) << mutant;
    Plan plan;
    plan.only = parse_token(found.counterexample->token).value;
    const Subject subject{&spec(), Dtype::float64};
    const auto candidate = in_process(find_mutant(mutant)->fresh());
    candidate->answer(std::vector<Question>{{materialise(spec(), *plan.only, Dtype::float64)}});
    EXPECT_EQ(search(history, subject, *candidate, plan).outcome, Outcome::falsified) << mutant;
  }
}

// Whatever the cases before it left behind: another past is looked for with which the case fails by itself.
TEST(Search, FindsAPastThatATokenCanBringAboutWithEverySeed) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Plan plan;
    plan.seed = seed;
    const auto candidate = in_process(find_mutant("mask-cache-stale")->fresh());
    const auto results = run({find_property("output/shape"), find_property("state/history")}, spec(),
                             Dtype::float64, *candidate, plan);
    EXPECT_EQ(results[1].outcome, Outcome::falsified) << seed;
    ASSERT_TRUE(results[1].counterexample) << seed;
    EXPECT_FALSE(results[1].counterexample->token.empty()) << seed;
    EXPECT_LE(results[1].counterexample->shape.at("T"), 3) << seed;
  }
}

// A pass needs cases.
TEST(Search, SkipsAPropertyThatNoCaseFits) {
  Plan plan;
  plan.only.emplace().free = {{"T", 1}, {"n_heads", 1}, {"d_head", 1}};
  const PropertyResult r =
      search_mutant("scale-missing", "causality/truncation-invariance", plan);  // one token cannot be cut
  EXPECT_EQ(r.outcome, Outcome::skipped);
  EXPECT_EQ(r.skip_reason, "no case could be judged");
}

// --- a whole run ---

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
