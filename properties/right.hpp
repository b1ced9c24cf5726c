// What is right for a call, result by result, whichever exercise it belongs to: so that a property which compares with the right
// answer is written once.
#pragma once

#include "properties/bounds.hpp"
#include "properties/property.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

struct Right {
  struct Result {
    std::string name;
    Dims dims;
    std::vector<double> values;  // row-major
    std::vector<double> bounds;  // of |computed - value|; infinite where nothing can be asked
  };
  std::vector<Result> results;
  double largest_score = 0;  // max |visible score|, where there are scores

  const Result* find(std::string_view name) const;
};

// Nothing where the subject has no right answer that is known here: an exercise may be added without one.
std::optional<Right> right_answer(const Subject& subject, const Question& question);

// The first number of `reply` that is outside its bound, with all tensors beside the right ones; by result, then row by row.
std::optional<Evidence> first_wrong(const Subject& subject, const Right& right, const Arguments& results);

// Puts every result beside the right one, to be shown.
void compare_all(Evidence& evidence, const Right& right, const Arguments& results);

std::vector<double> flat(const Eigen::Ref<const Matrix>& m);
std::vector<double> flat(const Heads& heads);
// The index of a row-major position.
std::vector<Index> index_of(std::size_t position, const Dims& dims);

}  // namespace attest
