// Searching and shrinking: what is found, how small it gets, and that nothing depends on more than it should.
#include "properties/search.hpp"

#include "properties/generate.hpp"
#include "properties/mutants/zoo.hpp"
#include "properties/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace attest
