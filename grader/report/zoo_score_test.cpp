// The rubric as it is shipped, against the zoo: what a bug costs, as an approved table (zoo-points.txt).
#include "grader/report/grade.hpp"
#include "properties/mutants/zoo.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

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
  return fmt::format("{:42} {:5.1f} {}", name, report.score->earned, lost);
}

TEST(ZooScore, TheReferenceEarnsEverything) {
  for (const bool only_y : {false, true}) {
    const Report report = report_on([] { return attention_function(Stages<double>{}); }, only_y);
    EXPECT_EQ(report.outcome, Outcome::passed);
    EXPECT_DOUBLE_EQ(report.score->earned, 100) << row("reference", report);
  }
}

// Answers that do no attention.
std::vector<std::pair<const char*, AttentionFunction>> trivial_answers() {
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
  return {
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
       [mixed](Inputs<double>& in) { return mixed(in, Matrix::Identity(in.tokens(), in.tokens())); }},
      {"causal mean",
       [mixed](Inputs<double>& in) {
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
}

TEST(ZooScore, IsTheTableThatIsWrittenDown) {
  std::string table =
      "# What each bug of the zoo costs of 100 points, with weights returned and with y alone "
      "(zoo_score_test;\n"
      "# ATTEST_BLESS=1 refreshes). After the points: what was lost where; (waits): not judged yet; in "
      "brackets:\n"
      "# failed as a consequence of another failure, and cost nothing more.\n";
  const auto add = [&](std::string_view name, const std::function<AttentionFunction()>& make) {
    std::array<double, 2> earned{};  // with weights, and with y alone
    for (const bool only_y : {false, true}) {
      const Report report = report_on(make, only_y);
      earned[only_y] = report.score->earned;
      table += row(fmt::format("{}{}", name, only_y ? " (y alone)" : ""), report) + '\n';
    }
    return earned;
  };
  for (const Mutant& mutant : zoo()) {
    const double earned = add(mutant.id, mutant.fresh())[0];
    // NaN in every place of every answer: nothing is left that could be judged. And the causal mean is one of the trivial answers.
    const bool says_little = mutant.id == "mask-zero-times-inf" || mutant.id == "scores-unused";
    EXPECT_GE(earned, says_little ? 0 : kSingleBugLeast) << mutant.id;
    EXPECT_LE(earned, says_little ? kTrivialMost : 100) << mutant.id;
  }
  for (const auto& [name, function] : trivial_answers()) {
    for (const double earned : add(name, [&f = function] { return f; }))
      EXPECT_LE(earned, kTrivialMost) << name;
  }
  if (std::getenv("ATTEST_BLESS") != nullptr) std::ofstream(ATTEST_ZOO_POINTS) << table;
  std::ifstream file(ATTEST_ZOO_POINTS);
  std::stringstream written;
  written << file.rdbuf();
  EXPECT_EQ(table, written.str());
}

}  // namespace
}  // namespace attest
