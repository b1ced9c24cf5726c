// The project's backbone: every mutant of the zoo against every property. What a mutant's row claims must be what is measured,
// both ways; the reference and every correct style are never flagged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "properties/mutants/zoo.hpp"
#include "properties/run.hpp"
#include "properties/styles.hpp"

namespace attest {
namespace {

constexpr int kSeeds = 20;

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

std::set<std::string> killers(const std::vector<PropertyResult>& results) {
  std::set<std::string> ids;
  for (const PropertyResult& r : results) {
    if (is_failure(r.outcome) || r.outcome == Outcome::fragile) ids.emplace(r.property->id);
  }
  return ids;
}

std::set<std::string> killers_of(const Mutant& mutant, std::uint64_t seed, bool only_y = false) {
  auto c = candidate(mutant.float64, only_y);
  return killers(run(all_properties(), multi_head_attention_spec(), Dtype::float64, *c, plan_of(seed)));
}

// How many of `killed` (one set a seed) hold the property: "20" is printed as "#", fewer as a number.
std::string cell(const std::vector<std::set<std::string>>& killed, const std::string& id) {
  int n = 0;
  for (const auto& ids : killed) n += ids.contains(id) ? 1 : 0;
  return n == 0 ? "." : n == static_cast<int>(killed.size()) ? "#" : fmt::format("{}", n);
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
    if (ids.contains("output/agrees-with-reference")) EXPECT_GT(ids.size(), 1u) << mutant.id;
  }
}

TEST_P(EverySeed, NeverFlagsTheReference) {
  for (const bool only_y : {false, true}) {
    auto c = candidate([] { return attention_function(Stages<double>{}); }, only_y);
    EXPECT_EQ(killers(run(all_properties(), multi_head_attention_spec(), Dtype::float64, *c, plan_of(static_cast<std::uint64_t>(GetParam())))),
              std::set<std::string>{});
  }
}

INSTANTIATE_TEST_SUITE_P(KillMatrix, EverySeed, testing::Range(1, kSeeds + 1));

}  // namespace
}  // namespace attest
