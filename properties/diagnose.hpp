// Which bug is it? Questions chosen to tell the rows of the zoo apart are put to the implementation, and to every row: what answers
// all of them alike is named. What agrees on all but one is not.
#pragma once

#include "properties/mutants/zoo.hpp"
#include "properties/property.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attest {

// One row, or two at once, that behaves like the implementation.
struct Suspect {
  std::vector<const Mutant*> rows;                         // one, or two
  std::vector<std::pair<std::string, double>> parameters;  // fitted: {"window", 4}
  std::string id() const;                                  // "mask-window", "mask-none+scale-missing"
};

struct Diagnosis {
  // Those that cannot be told apart by what they do, the likeliest first. Empty: unknown.
  std::vector<Suspect> suspects;
  int agreed = 0;  // questions that the implementation answers as the suspects do ...
  int of =
      0;  // ... of those in which they differ from the reference: equal, and on the others all agree, too
  // What is known of the behaviour otherwise, each as a sentence: "only with 2 or more heads", "only where a score exceeds 700".
  std::vector<std::string> known;
};

// Questions that are put, in this order, the first one to a new instance: several shapes, magnitudes from ordinary to 1e12, memory orders,
// some twice.
std::vector<Question> diagnostic_questions(const Spec& spec, Dtype dtype, std::uint64_t seed,
                                           bool memory_orders);

// Whether two changes are of different stages.
bool can_be_had_together(const Change& a, const Change& b);

// Restarts the candidate and asks it. Deterministic for (implementation, seed, rows, also). `also`: further questions that the bug must
// answer as the implementation does: those on which it was found to be wrong.
Diagnosis diagnose(const Subject& subject, Candidate& candidate, std::uint64_t seed,
                   std::span<const Mutant> rows = zoo(), std::span<const Question> also = {});

}  // namespace attest
