// The rubric as it is shipped, against the zoo: what a bug costs. ATTEST_TABLE=1 prints the whole table.
#include "grader/report/grade.hpp"
#include "properties/mutants/zoo.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace attest {
namespace {

constexpr double kTrivialMost = 20, kSingleBugLeast = 50;  // of 100: the contract's

const Ladder& ladder() {
  static const Ladder all = read_ladder(ATTEST_SOURCE_EXERCISES, catalogue());
  return all;
}

Report report_on(const std::function<AttentionFunction()>& make, bool only_y) {
  Plan plan;
  plan.cases = 60;
  const auto candidate = in_process([&] {
    return [function = make(), only_y](Inputs<double>& in) {
      Answer<double> answer = function(in);
      if (only_y) answer.weights.clear();
      return answer;
    };
  });
  Report report;
  report.file = "mutant";
  judge(ladder().preferred(), *candidate, plan, report);
  return report;
}

std::string row(std::string_view name, const Report& report) {
  std::string lost;
  for (const PropertyReport& p : report.properties) {
    if (p.points.earned < p.points.possible)
      lost += fmt::format(" {}-{:.3g}{}", p.id, p.points.possible - p.points.earned,
                          p.outcome == Outcome::skipped ? "(skipped)"
                          : !p.waits_for.empty()        ? "(waits)"
                                                        : "");
    else if (!p.follows_from.empty())
      lost += fmt::format(" ({})", p.id);
  }
  return fmt::format("{:32} {:5.1f} {}", name, report.score->earned, lost);
}

bool wants_table() { return std::getenv("ATTEST_TABLE") != nullptr; }

TEST(ZooScore, TheReferenceEarnsEverything) {
  for (const bool only_y : {false, true}) {
    const Report report = report_on([] { return attention_function(Stages<double>{}); }, only_y);
    EXPECT_EQ(report.outcome, Outcome::passed);
    EXPECT_DOUBLE_EQ(report.score->earned, 100) << row("reference", report);
  }
}

TEST(ZooScore, ASingleBugKeepsHalf) {
  for (const Mutant& mutant : zoo()) {
    const Report report = report_on(mutant.float64, false);
    EXPECT_GE(report.score->earned, kSingleBugLeast) << row(mutant.id, report);
    if (wants_table()) {
      fmt::print("{}\n", row(mutant.id, report));
      fmt::print("{}\n", row(fmt::format("  y only"), report_on(mutant.float64, true)));
    }
  }
}

TEST(ZooScore, AnswersThatDoNoAttentionEarnNextToNothing) {
  const auto& rubric = ladder().preferred().rubric;
  if (std::all_of(rubric.begin(), rubric.end(), [](const Rubric& row) { return row.needs.empty(); })) {
    GTEST_SKIP()
        << "the ladder names nothing that a real attention must show before the rest counts ('needs')";
  }
  const auto mixed = [](const Inputs<double>& in, const Matrix& weights) {
    Trace<double> t;
    const Stages<double> stages;
    stages.project(in, t);
    stages.split(in, t);
    t.weights.assign(static_cast<std::size_t>(in.n_heads), weights);
    stages.mix(in, t);
    stages.merge(in, t);
    stages.output(in, t);
    return t.answer();
  };
  const std::pair<const char*, AttentionFunction> trivial[] = {
      {"zeros",
       [](Inputs<double>& in) {
         const Matrix none = Matrix::Zero(in.tokens(), in.tokens());
         return Answer<double>{Matrix::Zero(in.tokens(), in.d_model()),
                               Heads(static_cast<std::size_t>(in.n_heads), none)};
       }},
      {"x itself",
       [](Inputs<double>& in) {
         return Answer<double>{in.x, {}};
       }},
      {"identity weights",
       [&](Inputs<double>& in) { return mixed(in, Matrix::Identity(in.tokens(), in.tokens())); }},
      {"causal mean",
       [&](Inputs<double>& in) {
         Matrix mean = Matrix::Zero(in.tokens(), in.tokens());
         for (Index i = 0; i < in.tokens(); ++i)
           mean.row(i).head(i + 1).setConstant(1.0 / static_cast<double>(i + 1));
         return mixed(in, mean);
       }},
      {"noise",
       [state = std::uint64_t{1}](Inputs<double>& in) mutable {
         const auto draw = [&] {
           return static_cast<double>((state = state * 6364136223846793005u + 1442695040888963407u) >> 40) /
                  1e6;
         };
         return Answer<double>{Matrix::NullaryExpr(in.tokens(), in.d_model(), draw), {}};
       }},
  };
  for (const auto& [name, function] : trivial) {
    for (const bool only_y : {false, true}) {
      const Report report = report_on([&f = function] { return f; }, only_y);
      EXPECT_LE(report.score->earned, kTrivialMost) << row(name, report);
      if (wants_table()) fmt::print("{}\n", row(name, report));
    }
  }
}

}  // namespace
}  // namespace attest
