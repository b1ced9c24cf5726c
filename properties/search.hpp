// Looks for a case on which a property fails, and shrinks it. Budgets are counts, never times: the same on every machine.
#pragma once

#include "properties/answers.hpp"
#include "properties/property.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attest {

struct Plan {
  std::uint64_t seed = 20170612;  // arXiv 1706.03762 was submitted on 12 June 2017
  int cases = 200;                // per property, the fixed ones included; fewer than those are never tried
  int shrink_evaluations = 1000;  // per failing property
  bool use_oracle = true;         // false: properties that need the reference are left out
  std::optional<Case> only;       // judge just this one case
};

// The fixed small shapes: with fewer, some properties would find no case that fits them.
inline constexpr int kFewestCases = 12;

// Fewer steps when each one may cost a new process, or the whole time limit.
int shrink_budget(const Plan& plan, Outcome outcome);

// The smallest failing case found.
struct Counterexample {
  Case minimal;
  std::string token;                    // empty: the case alone does not bring it about
  std::vector<Question> questions;      // as they were asked; of a past, only what is needed
  Extents shape;                        // of the question that the evidence is about
  std::vector<std::string> irrelevant;  // roles that could be redrawn without the failure going away
  int evaluations = 0;                  // spent on shrinking
  int case_number = 0;                  // 1-based: cases to detection
};

struct PropertyResult {
  const Property* property = nullptr;
  Outcome outcome = Outcome::passed;
  std::string skip_reason;
  bool applies =
      true;  // false: skipped because it says nothing about this exercise, signature or plan; nobody is to blame
  int cases = 0;     // judged, the failing one included
  int left_out = 0;  // not judged, because a call of theirs gave no answer, as an earlier property has said
  Verdict verdict;   // of the minimal counterexample
  std::optional<Counterexample> counterexample;
};

// The replies to a case's questions, judged: quickly, and exactly where that does not do.
Verdict judge(const Property& property, const Subject& subject, const Case& c,
              std::span<const Question> questions, std::span<const Reply> replies);

// One case, asked and judged.
Verdict evaluate(const Property& property, const Subject& subject, Candidate& candidate, const Case& c);

// Cases that are not tried and not counted.
using Avoid = std::function<bool(std::span<const Question>)>;

// The search with one property, in two steps, so that whoever computes elsewhere need not wait between one property and the next. Case i
// depends on (seed, i, property) only.
class Search {
 public:
  // `answers`: what the candidate has answered so far; what it answers is added.
  Search(const Property& property, const Subject& subject, Candidate& candidate, const Plan& plan,
         Avoid avoid = {}, Answers* answers = nullptr);
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search();  // nothing that was begun outlives its questions

  const Property& property() const;
  // The first cases' questions are the next to be answered. False: there are none, all answers are known.
  bool begin();
  // `nothing_left`: called when all questions are on their way, the last answers are not: the time to begin another search.
  PropertyResult finish(const std::function<void()>& nothing_left = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Both steps.
PropertyResult search(const Property& property, const Subject& subject, Candidate& candidate,
                      const Plan& plan, const Avoid& avoid = {});

}  // namespace attest
