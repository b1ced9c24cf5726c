// Looks for a case on which a property fails, and shrinks it. Budgets are counts, never times: the same on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/property.hpp"

namespace attest {

struct Plan {
  std::uint64_t seed = 20170612;    // arXiv 1706.03762 was submitted on 12 June 2017
  int cases = 200;                  // per property, the fixed ones included
  int shrink_evaluations = 1000;    // per failing property
  bool use_oracle = true;
  std::optional<Case> only;         // judge just this one case
};

// The smallest failing case found.
struct Counterexample {
  Case minimal;
  std::string token;
  std::vector<Question> questions;      // as they were asked
  std::vector<std::string> irrelevant;  // roles and extents that could be redrawn without the failure going away
  int evaluations = 0;                  // spent on shrinking
  int case_number = 0;                  // 1-based: cases to detection
};

struct PropertyResult {
  const Property* property = nullptr;
  Outcome outcome = Outcome::passed;
  std::string skip_reason;
  int cases = 0;                        // judged (not discarded)
  Verdict verdict;                      // of the minimal counterexample
  std::optional<Counterexample> counterexample;
};

// Called with (properties done, properties in all) as a run goes on.
using Progress = std::function<void(std::size_t, std::size_t)>;

// One property. Case i depends on (seed, i, property) only.
PropertyResult search(const Property& property, const Subject& subject, Candidate& candidate, const Plan& plan);

// All of `properties` in order: finds out whether weights are returned, skips what depends on a failure, and says why.
std::vector<PropertyResult> run(const std::vector<const Property*>& properties, const Spec& spec, Dtype dtype,
                                Candidate& candidate, const Plan& plan, const Progress& progress = {});

}  // namespace attest
