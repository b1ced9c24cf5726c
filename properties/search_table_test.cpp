// How well the search finds and shrinks: the zoo x 20 seeds, as an approved table.
//   cases        until the first of the properties that the mutant's row names has found it; median over the seeds
//   evaluations  to shrink one counterexample; median over the seeds and those properties
//   minimal      in how many seeds the smallest counterexample has the smallest shape at which the bug can be seen
#include "properties/mutants/zoo.hpp"
#include "properties/oracle.hpp"
#include "properties/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace attest {
namespace {

constexpr int kSeeds = 20;
constexpr int kMostCases = 10, kMostEvaluations = 100;  // medians, at most
constexpr double kLeastMinimal = 0.95;                  // of all mutants and seeds

int median(std::vector<int> values) {
  if (values.empty()) return -1;
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

Index volume(const Extents& shape) { return shape.at("T") * shape.at("d_model") * shape.at("n_heads"); }

struct Measured {
  std::vector<int> cases, evaluations;
  int minimal = 0;
};

Measured measure(const Mutant& mutant) {
  std::vector<const Property*> properties;
  for (const Property& p : catalogue()) {
    const auto& named = mutant.caught_by;
    if (std::find(named.begin(), named.end(), p.id) != named.end()) properties.push_back(&p);
  }
  Measured measured;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Plan plan;
    plan.seed = static_cast<std::uint64_t>(seed);
    const auto c = in_process(mutant.fresh());
    int first = plan.cases + 1;
    bool minimal = false;
    for (const PropertyResult& r : run(properties, multi_head_attention_spec(), Dtype::float64, *c, plan)) {
      if (!r.counterexample || r.counterexample->shape.empty()) continue;
      first = std::min(first, r.counterexample->case_number);
      measured.evaluations.push_back(r.counterexample->evaluations);
      minimal |= volume(r.counterexample->shape) <= mutant.minimal[0] * mutant.minimal[1] * mutant.minimal[2];
    }
    measured.cases.push_back(first);
    measured.minimal += minimal;
  }
  return measured;
}

TEST(SearchTable, IsTheOneThatIsWrittenDown) {
  set_oracle_memory(std::size_t{256} << 20);
  std::string table = fmt::format(
      "# The search over {} seeds (search_table_test; ATTEST_BLESS=1 refreshes). Medians; what they count "
      "stands in the "
      "test.\n{:34} {:>5} {:>11} {:>7}\n",
      kSeeds, "mutant", "cases", "evaluations", "minimal");
  std::vector<int> all_evaluations;
  int minimal = 0;
  for (const Mutant& mutant : zoo()) {
    const Measured m = measure(mutant);
    EXPECT_LE(median(m.cases), kMostCases) << mutant.id;
    table += fmt::format("{:34} {:>5} {:>11} {:>4}/{}\n", mutant.id, median(m.cases), median(m.evaluations),
                         m.minimal, kSeeds);
    all_evaluations.insert(all_evaluations.end(), m.evaluations.begin(), m.evaluations.end());
    minimal += m.minimal;
  }
  const auto runs = static_cast<double>(zoo().size() * kSeeds);
  table += fmt::format("all: evaluations {} (median of {}), minimal {:.1f} %\n", median(all_evaluations),
                       all_evaluations.size(), 100 * minimal / runs);
  EXPECT_LE(median(all_evaluations), kMostEvaluations);
  EXPECT_GE(minimal / runs, kLeastMinimal);
  if (std::getenv("ATTEST_BLESS") != nullptr) std::ofstream(ATTEST_SEARCH_TABLE) << table;
  std::ifstream file(ATTEST_SEARCH_TABLE);
  std::stringstream written;
  written << file.rdbuf();
  EXPECT_EQ(table, written.str());
}

}  // namespace
}  // namespace attest
