// The project's backbone: every mutant of the zoo against every property. What a mutant's row claims must be what is measured,
// both ways; the reference and every correct style are never flagged.
#include "properties/mutants/zoo.hpp"
#include "properties/oracle.hpp"
#include "properties/run.hpp"
#include "properties/styles.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace attest {
namespace {

constexpr int kSeeds = 20, kSeedsEachTime = 8;

class Memory : public testing::Environment {
  void SetUp() override {
    mallopt(M_MMAP_THRESHOLD,
            1 << 30);  // as the program does at its start: memory that is given back and asked for again
    mallopt(M_TRIM_THRESHOLD, 1 << 30);       // costs more than the arithmetic
    set_oracle_memory(std::size_t{1} << 30);  // the whole zoo meets the same cases
  }
};
const auto* const kMemory = testing::AddGlobalTestEnvironment(new Memory);

std::vector<const Property*> all_properties() {
  std::vector<const Property*> all;
  for (const Property& p : catalogue()) all.push_back(&p);
  return all;
}

Plan plan_of(std::uint64_t seed) {
  Plan plan;
  plan.seed = seed;
  plan.shrink_evaluations = 0;  // whether it is found, not how small it gets
  return plan;
}

// Hides the weights: an implementation that returns y alone.
class OnlyY final : public Candidate {
 public:
  explicit OnlyY(std::unique_ptr<Candidate> inner) : inner_(std::move(inner)) {}
  std::vector<Reply> answer(std::span<const Question> questions) override {
    auto replies = inner_->answer(questions);
    for (Reply& r : replies) std::erase_if(r.results, [](const Named& n) { return n.name == "weights"; });
    return replies;
  }

 private:
  std::unique_ptr<Candidate> inner_;
};

std::unique_ptr<Candidate> candidate(const std::function<AttentionFunction()>& make, bool only_y) {
  auto inner = in_process(make);
  return only_y ? std::make_unique<OnlyY>(std::move(inner)) : std::move(inner);
}

// A warning kills nothing but what it warns of.
std::set<std::string> killers(const std::vector<PropertyResult>& results, bool with_warnings = false) {
  std::set<std::string> ids;
  for (const PropertyResult& r : results) {
    if (r.property->warning && !with_warnings) continue;
    if (is_failure(r.outcome) || r.outcome == Outcome::fragile) ids.emplace(r.property->id);
  }
  return ids;
}

std::set<std::string> killers_of(const Mutant& mutant, std::uint64_t seed, bool only_y = false) {
  auto c = candidate(mutant.fresh(), only_y);
  return killers(run(all_properties(), multi_head_attention_spec(), Dtype::float64, *c, plan_of(seed)),
                 mutant.only_warned_of);
}

// What is measured, as a table: one line a mutant, the properties that find it with the number of seeds (of 3) in which they do,
// once with weights returned and once with y alone.
std::string measured_matrix() {
  constexpr int kTableSeeds = 3;
  std::string table =
      "# Which property finds which mutant, in how many of 3 seeds. Made by kill_matrix_test; refreshed with "
      "ATTEST_BLESS=1.\n";
  for (const Mutant& mutant : zoo()) {
    for (const bool only_y : {false, true}) {
      std::map<std::string, int> found;
      for (int seed = 1; seed <= kTableSeeds; ++seed) {
        for (const std::string& id : killers_of(mutant, static_cast<std::uint64_t>(seed), only_y))
          ++found[id];
      }
      table += fmt::format("{} {}:", mutant.id, only_y ? "(y alone)" : "(y, weights)");
      for (const auto& [id, n] : found) table += fmt::format(" {}={}", id, n);
      table += '\n';
    }
  }
  return table;
}

// What cannot be seen through y alone: the returned weights are the bug.
bool invisible_in_y(const Mutant& mutant) { return mutant.id.starts_with("weights-returned"); }

TEST(KillMatrix, IsTheOneThatIsWrittenDown) {
  const std::string measured = measured_matrix();
  if (std::getenv("ATTEST_BLESS") != nullptr) std::ofstream(ATTEST_KILL_MATRIX) << measured;
  std::ifstream file(ATTEST_KILL_MATRIX);
  std::stringstream written;
  written << file.rdbuf();
  EXPECT_EQ(measured, written.str());
}

class EverySeed : public testing::TestWithParam<int> {};

TEST_P(EverySeed, KillsEveryMutantByThePropertiesThatItsRowNames) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  for (const Mutant& mutant : zoo()) {
    const auto ids = killers_of(mutant, seed);
    EXPECT_FALSE(ids.empty()) << mutant.id << " survives";
    for (const std::string_view id : mutant.caught_by) {
      EXPECT_TRUE(ids.contains(std::string(id))) << mutant.id << " is not caught by " << id;
    }
    // The comparison with the reference is never the only one to see a bug.
    if (ids.contains("output/agrees-with-reference")) {
      EXPECT_GT(ids.size(), 1u) << mutant.id;
    }
  }
}

TEST_P(EverySeed, KillsEveryMutantThatReturnsYAlone) {
  for (const Mutant& mutant : zoo()) {
    const auto ids = killers_of(mutant, static_cast<std::uint64_t>(GetParam()), true);
    EXPECT_EQ(ids.empty(), invisible_in_y(mutant)) << mutant.id;
  }
}

TEST_P(EverySeed, NeverFlagsTheReference) {
  for (const bool only_y : {false, true}) {
    auto c = candidate([] { return attention_function(Stages<double>{}); }, only_y);
    const auto results = run(all_properties(), multi_head_attention_spec(), Dtype::float64, *c,
                             plan_of(static_cast<std::uint64_t>(GetParam())));
    EXPECT_EQ(killers(results), std::set<std::string>{});
    for (const PropertyResult& r :
         results) {  // a pass needs cases, and every property but those of memory order has them
      EXPECT_TRUE(r.outcome != Outcome::passed || r.cases > 0) << r.property->id;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(KillMatrix, EverySeed, testing::Range(1, kSeedsEachTime + 1));
// The others belong to the soak, which asks for disabled tests.
INSTANTIATE_TEST_SUITE_P(DISABLED_KillMatrix, EverySeed, testing::Range(kSeedsEachTime + 1, kSeeds + 1));

// Correct, in every way that people write it: right at all magnitudes, so nothing at all may be flagged.
class EveryStyle : public testing::TestWithParam<Dtype> {};

TEST_P(EveryStyle, IsNeverFlagged) {
  const Dtype dtype = GetParam();
  for (const Style& style : correct_styles()) {
    if (style.max_score < 1e20)
      continue;  // right up to some score only: large scores are a property of their own
    const auto make = [&style, dtype]() -> AttentionFunction {
      return [&style, dtype](Inputs<double>& in) {
        if (dtype == Dtype::float64) return style.float64(in);
        const Answer<float> narrow = style.float32(in.cast<float>());
        Answer<double> answer{narrow.y.cast<double>(), {}};
        for (const auto& head : narrow.weights) answer.weights.push_back(head.cast<double>());
        return answer;
      };
    };
    for (const bool only_y : {false, true}) {
      auto c = candidate(make, only_y);
      EXPECT_EQ(killers(run(all_properties(), multi_head_attention_spec(), dtype, *c, plan_of(77))),
                std::set<std::string>{})
          << style.name << (only_y ? ", y alone" : "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(KillMatrix, EveryStyle, testing::Values(Dtype::float64, Dtype::float32),
                         [](const auto& p) { return std::string(to_string(p.param)); });

// The zoo in float32: every mutant is found there, too, but for an epsilon of 1e-6, which a row of correct float32 exponentials
// may be off by.
TEST(KillMatrix, KillsEveryMutantInFloat32) {
  for (const Mutant& mutant : zoo()) {
    if (mutant.id == "softmax-eps") continue;
    auto c = in_process(mutant.fresh(Dtype::float32));
    const auto results = run(all_properties(), multi_head_attention_spec(), Dtype::float32, *c, plan_of(1));
    EXPECT_FALSE(killers(results, mutant.only_warned_of).empty()) << mutant.id;
  }
}

// Convinced without a reference: rows that sum to one, an upper triangle of zeros, log-ratios and the mix determine attention, and the
// rest catches what is wrong with its arithmetic and its memory.
TEST(KillMatrix, KillsEveryMutantWithoutTheReference) {
  for (const Mutant& mutant : zoo()) {
    Plan plan = plan_of(1);
    plan.use_oracle = false;
    auto c = in_process(mutant.fresh());
    const auto results = run(all_properties(), multi_head_attention_spec(), Dtype::float64, *c, plan);
    EXPECT_FALSE(killers(results, mutant.only_warned_of).empty()) << mutant.id;
    for (const PropertyResult& r : results)
      EXPECT_TRUE(!r.property->needs_oracle || r.cases == 0) << r.property->id;
  }
}

// The smallest shape at which a bug can be seen is the shape that shrinking ends with, for some property. A maximum that grows
// in a later tile is easily lost on the way down: tiles get five seeds (search-table.txt has how often each gets there).
TEST(KillMatrix, ShrinksEveryMutantToTheSmallestShapeOfItsRow) {
  for (const Mutant& mutant : zoo()) {
    std::array<Index, 3> smallest{999, 999, 999};
    const auto volume = [](const auto& a) { return a[0] * a[1] * a[2]; };
    const std::uint64_t seeds = mutant.family == "online" ? 5 : 1;
    for (std::uint64_t seed = 1; seed <= seeds && volume(smallest) > volume(mutant.minimal); ++seed) {
      auto c = in_process(mutant.fresh());
      Plan plan;
      plan.seed = seed;
      for (const PropertyResult& r :
           run(all_properties(), multi_head_attention_spec(), Dtype::float64, *c, plan)) {
        if (!r.counterexample || r.counterexample->shape.empty()) continue;
        const Extents& s = r.counterexample->shape;
        const std::array<Index, 3> shape{s.at("T"), s.at("d_model"), s.at("n_heads")};
        if (volume(shape) < volume(smallest)) smallest = shape;
      }
    }
    EXPECT_LE(volume(smallest), volume(mutant.minimal))
        << mutant.id << " at T=" << smallest[0] << " d_model=" << smallest[1] << " n_heads=" << smallest[2];
  }
}

}  // namespace
}  // namespace attest
