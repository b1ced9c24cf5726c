// What must hold: a property says what to ask about a case and judges the replies. A row of data; its fields are its
// documentation.
#pragma once

#include "properties/bounds.hpp"
#include "properties/candidate.hpp"
#include "properties/case.hpp"
#include "properties/outcome.hpp"
#include "properties/spec.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// What is known about the implementation before a property is asked.
struct Subject {
  const Spec* spec = nullptr;
  Dtype dtype = Dtype::float64;
  bool returns_weights = true;  // otherwise weights are read out through the values (readout.hpp)
  bool sees_memory_order = false;
  bool tolerates_faults =
      false;  // calls that fail have been reported: a case with one is left out, not failed
  bool tolerates_nonfinite = false;  // so have NaN and infinities: they are not compared
  Care care = Care::exact;           // how right answers are computed. A pass with Care::quick stands
};

// Numbers from which every sentence about a failure is made. Indices are 0-based.
struct Evidence {
  std::string kind;  // distinguishes failures of one property: a shrink never slips from one kind to another
  std::size_t question = 0;  // which of the questions it is about
  std::string tensor;        // "weights", "y", ... or empty
  std::vector<Index> index;  // of the offending element (or row)
  double expected = 0, actual = 0, error = 0, bound = 0;
  std::string transform;  // how that question came from the case, e.g. "tokens from 2 on removed"; or empty
  std::map<std::string, std::pair<Tensor, Tensor>> compared;  // result name -> (should be, is); whole tensors
  double largest_score = 0;  // max |visible score| of the failing inputs: above 1e6 a failure is "fragile"
  bool read_out = false;     // the weights shown were read out through y (readout.hpp)
};

struct Verdict {
  Outcome outcome = Outcome::passed;
  bool discarded = false;  // the case does not fit the property: does not count
  Evidence evidence;       // when falsified
  Fault fault;             // when the implementation gave no answer

  static Verdict pass() { return {}; }
  static Verdict discard() {
    Verdict v;
    v.discarded = true;
    return v;
  }
  static Verdict fail(Evidence evidence) { return {Outcome::falsified, false, std::move(evidence), {}}; }
};

// A parameter that a property draws with the case: [0, range(extents)); shrinks towards 0.
struct Choice {
  std::string name;
  Index (*range)(const Extents& extents);
};

struct Property {
  std::string_view id;     // "weights/rows-sum-to-one"
  std::string_view title;  // what must hold, one line: "every row of the weights sums to 1"
  std::string_view
      group;  // the aspect that it speaks of: mask softmax scale heads projections state numerics shape
  std::string_view subject = "attention";  // of the exercises that it speaks about; empty: of all
  std::string_view formula;
  std::string_view why;                 // why it must hold, and why it matters
  std::string_view blind_to;            // what it cannot see
  bool needs_weights = false;           // skipped when they are neither returned nor to be read out
  bool needs_returned_weights = false;  // reading them out would make it a tautology
  bool needs_oracle = false;            // its expected values come from the reference
  std::vector<std::string_view> prerequisites = {};  // ids; one of them failed: skipped
  bool needs_steady_answers =
      true;           // skipped when answers change from call to call: nothing can then be compared
  bool wild = false;  // draws huge and tiny regimes too; otherwise only the ordinary ones
  bool long_sequences =
      false;  // also tried on 2^k - 1, 2^k and 2^k + 1 tokens up to 129: the edges of blocks and tiles (P28)
  bool own_numbers =
      false;  // its cases have other numbers than those of other properties: no earlier call had them
  bool warning = false;  // right answers may fail it: it is advice wherever it stands, and costs few calls
  bool has_past =
      false;  // the calls before the judged one are part of the case: a token alone must bring them about
  int most_cases = 0;  // 0: as many as the plan says. For properties whose questions are expensive
  std::vector<Choice> choices = {};
  bool (*applies)(const Subject& subject) = nullptr;  // nullptr: always
  // No questions: the case does not fit (discarded).
  std::vector<Question> (*ask)(const Subject& subject, const Case& c) = nullptr;
  // Replies are all complete and of the right shape (judge_replies has seen to that).
  Verdict (*judge)(const Subject& subject, const Case& c, std::span<const Question> questions,
                   std::span<const Reply> replies) = nullptr;
};

// The catalogue, in the order in which it is judged (prerequisites first, the comparison with the reference last).
const std::vector<Property>& catalogue();
const Property* find_property(std::string_view id);

// Faults first (in question order), then the results' shapes against the spec; passed when `judge` may look.
Verdict judge_replies(const Subject& subject, std::span<const Question> questions,
                      std::span<const Reply> replies);

}  // namespace attest
