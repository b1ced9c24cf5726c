// The suite that an engineer links to his own function, run over the reference: with its weights and without.
#include "properties/suite.hpp"

#include <set>

namespace {

attest::Answer<double> reference(const attest::Inputs<double>& in) {
  return attest::causal_multi_head_attention(in).answer();
}

attest::Answer<double> reference_without_weights(const attest::Inputs<double>& in) {
  return {reference(in).y, {}};
}

}  // namespace

ATTEST_SUITE(Reference, reference)
ATTEST_SUITE(ReferenceWithoutWeights, reference_without_weights)

#define ATTEST_ID(Suite, function, Name, id) id,

// A property that is added to the catalogue must be added to the suite. Memory order cannot be seen by a C++ function, and a warning is no
// failure.
TEST(Suite, HoldsEveryPropertyThatACppFunctionCanBeJudgedOn) {
  const std::set<std::string_view> in_suite = {ATTEST_FOR_EVERY_PROPERTY(ATTEST_ID, , )};
  for (const attest::Property& p : attest::catalogue()) {
    const bool of_arrays =
        p.id == "state/memory-order" || p.id == "state/own-result";  // nothing to a function of values
    const bool of_attention = p.subject.empty() || p.subject == "attention";
    EXPECT_EQ(in_suite.contains(p.id), of_attention && !of_arrays && !p.warning) << p.id;
  }
}
