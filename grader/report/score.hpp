// Points. They belong to properties, properties to aspects (groups), and a mistake is paid for once:
//
//   - a property that holds earns its points, unless one that it `needs` does not hold: zeros have nothing above the
//     diagonal either, and no mask for that. Where calls gave no answer it holds for the rest only, and earns that part;
//   - a property that fails earns nothing, unless its failure `follows` from another one: then it costs nothing more (weights
//     that do not sum to one spoil row 0 of y too). Such credit needs backing: what it needs must hold, and all of it together
//     is at most what was earned outright. An answer that is wrong everywhere is not excused by one of its failures;
//   - one that was skipped because a prerequisite failed was not judged, so it earns nothing; its points stay possible;
//   - one that does not apply hands its points to the rest of its group, and a group of which nothing applies hands them
//     to the others. So the possible points always sum to the exercise's 100.
#pragma once

#include "grader/exercises/ladder.hpp"
#include "grader/report/report.hpp"
#include "properties/search.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attest {

// What became of one property's points.
struct Share {
  Points points;
  std::string follows_from;  // the id of a failure that this failure is a consequence of; or empty
  std::string waits_for;     // it held, but earns nothing because this id does not hold; or empty
};

// What is left of each row after judging. "Does not apply" is about the exercise, the language, the flags
// (--no-reference) or what the answer may leave out, never about something that the submission does wrong.
enum class Standing { held, failed, not_judged, does_not_apply };
Standing standing(const PropertyResult& result);

// One share for each row, in the same order. `results` are those rows' results.
std::vector<Share> share_points(std::span<const Rubric> rubric, std::span<const PropertyResult> results);

Points total(std::span<const Share> shares);

}  // namespace attest
