// Where does it go wrong? The values that variables took during one call are compared with those of the reference's stages, whatever
// the variables are called and however they lie in memory: the first stage with a wrong value and no right one is named. A stage that is
// missing or misplaced counts as that stage; one that was never seen by itself is not wrong for that. Nothing is said where nothing is known.
#pragma once

#include "properties/property.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

enum class StageName { project, split, scores, scale, mask, softmax, mix, merge, output };
std::string_view to_string(StageName stage);

// A value that a variable, or what a function returned, had.
struct CodePlace {
  std::string name, function;
  int line = 0;  // for an argument, of the call
  bool is_argument = false;
};

struct Location {
  StageName stage = StageName::project;
  bool is_missing = false;  // nothing does what the stage does
  // The last value before it that is right, with the last stage that is done in it ...
  std::optional<CodePlace> right;
  StageName right_stage = StageName::project;
  // ... and the first that is wrong; or, if the stage is missing, in which it should have been done.
  std::optional<CodePlace> wrong;
};

// Calls of ordinary and of large numbers, in which values of different stages have different shapes; ordinary and small ones first.
std::vector<Question> localising_questions(const Spec& spec, Dtype dtype, std::uint64_t seed);

// Whether the reply's y is wrong (its weights alone may be: they are then of another form, and no stage is to blame).
bool is_wrong(const Subject& subject, const Question& question, const Reply& reply);

// The reply is to a traced question, and wrong. Nothing: it cannot be said.
std::optional<Location> localise(const Subject& subject, const Question& question, const Reply& reply);

}  // namespace attest
