// One submission's result as one record. Renderers (text, JSON) read it and nothing else; what it holds is contract.
#pragma once

#include "grader/worker/worker.hpp"
#include "properties/localise.hpp"
#include "properties/search.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

struct Points {
  double earned = 0;
  double possible = 0;
};

// How much of what was found is told: all of it, what helps without giving the case away, or the results alone (detail.hpp).
enum class Detail { full, hint, verdict };

// A call beside the judged one without which nothing goes wrong.
struct OtherCall {
  Extents shape;
  Arguments arguments;
};

// One property as it is reported.
struct PropertyReport {
  std::string id, title, group;
  bool advice = false;      // a failure costs nothing and does not change the outcome of the whole
  bool is_warning = false;  // right answers may fail it, so it is worth a word to those who ask for all
  Outcome outcome = Outcome::passed;
  std::string skip_reason;
  std::string follows_from;  // the failed property whose consequence this failure is: costs nothing more
  std::string waits_for;     // it held, but earns nothing until this property holds
  int cases = 0;
  Points points;
  Verdict verdict;                               // when it failed
  std::optional<Counterexample> counterexample;  // when it failed on a case
  Extents shape;                                 // of the call that the counterexample speaks of
  Arguments
      called_with;  // that call's own arguments, where a signature makes other numbers of the default ones
  std::vector<OtherCall> before, after;  // the judged call
  bool takes_more_calls = false;         // before it than can be told
  std::string explanation;               // for a learner: what holds, what was seen
  std::string look_at;    // what in the code could behave so; nothing that was not seen to be there
  std::string ask;        // a question that leads there without giving the answer away
  std::string reproduce;  // "attest grade mine.py --case ..."
};

// It holds for the calls that were answered, and earns that part of its points.
inline bool held_in_part(const PropertyReport& property) {
  return property.outcome == Outcome::passed && property.waits_for.empty() &&
         property.points.earned < property.points.possible;
}

// A known bug, or two at once, that behaves as the submission does.
struct BugReport {
  std::string bug;                                         // "mask-window", "mask-none+scale-missing"
  int agreed = 0, of = 0;                                  // of the inputs that show it
  std::vector<std::pair<std::string, double>> parameters;  // fitted: {"window", 4}
  struct Alike {
    std::string bug, title;
  };
  std::vector<Alike> equivalent;  // other bugs that behave in the same way
  std::string title;              // what it does
  std::string ask, fix;
  std::vector<std::string> families;  // scale, mask, softmax, ...: never right so far
};

// The first stage that goes wrong in one call that was followed.
struct LocationReport {
  std::string stage;
  std::optional<CodePlace> right;  // the last right value before it ...
  std::string right_stage;         // ... and what is done in it
  std::optional<CodePlace> wrong;
  bool is_missing = false;  // nothing does what the stage does: `wrong` is where it should have been done
  std::string text;
};

struct Advice {
  std::string kind;  // essential, actionable, informative, celebratory
  std::string text;
  std::string property = {};  // whose failure it tells about
};

struct Report {
  std::string exercise;                // slug, or empty when no entry was found
  std::string file, language, sha256;  // base name
  std::string id;                      // its path as it was given, where several files are graded
  Outcome outcome = Outcome::internal_error;
  std::optional<Fault> error;
  std::string output_tail;
  std::optional<Points> score;            // none with --case, or after an internal error
  std::optional<std::uint64_t> seed = 0;  // none where it would give the cases away
  Dtype dtype = Dtype::float64;
  int cases = 0;
  double wall_ms = 0;
  std::string signature = "default";
  Isolation isolation;
  Limits limits;
  std::string rubric_sha256;
  Environment environment;
  std::vector<Import> imports;  // those that the exercise wants to be told of
  std::vector<PropertyReport> properties;
  std::vector<BugReport> diagnosis;        // empty: unknown
  std::vector<std::string> known;          // what is known where there is no name
  std::optional<LocationReport> location;  // none: it cannot be said
  std::vector<Advice> advice;
  // Aspects of which all was judged and holds, and which nothing else speaks against; of which nothing, or not all, was judged
  // while what was holds.
  std::vector<std::string> right_so_far, not_judged, judged_in_part;
  std::string hint;  // "attest hint multi-head --aspect mask": more than is said here
  Detail detail = Detail::full;
  std::string first_message;  // the one line that is said first when nothing could be judged
};

}  // namespace attest
