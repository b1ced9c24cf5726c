// Comparing what came with what should have come, element by element, each with its own bound.
#pragma once

#include "properties/oracle.hpp"
#include "properties/property.hpp"
#include "properties/readout.hpp"

#include <cmath>
#include <optional>
#include <span>

namespace attest {

// Not `error > bound`: a NaN must fail. But an infinite bound says that a correct implementation may overflow here, and then
// anything may come; and once output/finite has said that numbers are missing, what is missing is left out.
inline bool within(const Subject& subject, double actual, double error, double bound) {
  const double allowed = subject.care == Care::quick ? bound / 2 : bound;
  return error <= allowed || std::isinf(bound) || (subject.tolerates_nonfinite && !std::isfinite(actual));
}

// Of properties that see from another side what others see, too.
inline constexpr int kFewCases = 40;

using MatrixRef = Eigen::Ref<const Matrix>;  // a matrix, a view of one, or a part of one

// The first element (row by row) of `actual` that is further than `bound` from `expected`.
std::optional<Evidence> first_difference(const Subject& subject, std::string_view tensor,
                                         const MatrixRef& actual, const MatrixRef& expected,
                                         const MatrixRef& bound);
// The same over heads (Heads or HeadsView); the index is then (head, row, column).
template <class Actual, class Right, class Bound>
std::optional<Evidence> first_difference_of_heads(const Subject& subject, std::string_view tensor,
                                                  const Actual& actual, const Right& expected,
                                                  const Bound& bound) {
  for (std::size_t g = 0; g < expected.size(); ++g) {
    if (auto e = first_difference(subject, tensor, actual[g], expected[g], bound[g])) {
      e->index.insert(e->index.begin(), static_cast<Index>(g));
      return e;
    }
  }
  return std::nullopt;
}

// Whether all that is compared is finite and the same: nothing is nearer, and bounds cost more than anything else here. So ask this
// first, where answers are compared with one another or with a number that comes out exactly.
bool identical(const MatrixRef& a, const MatrixRef& b);

// How far two answers of one implementation to the same mathematical question may be apart, if the implementation computes
// something like attention, right or wrong: a comparison of a function with itself must not say "wrong mask" about a wrong scale
// merely because larger scores round more. To twice the bounds of a right one it adds the rounding of scores as large as any mix-up
// of matrices, axes and scale can make them.
struct PairBound {
  Matrix y;         // (T, d_out)
  Heads weights;    // n_heads x (T, T)
  double relative;  // rounding of a weight, relative to itself

  // Weights that came, Heads or HeadsView: wrong ones may be larger than right ones, and round accordingly.
  template <class Weights>
  void cover(const Weights& came) {
    for (std::size_t g = 0; g < weights.size(); ++g) weights[g] += relative * came[g].cwiseAbs();
  }
};
PairBound pair_bound(const Subject& subject, const Expected& expected);

// Evidence becomes a verdict: adds the kind, the question and the whole tensors to show.
Verdict falsified(Evidence evidence, std::string_view kind, std::size_t question, std::string transform = {});
inline Tensor tensor_of(const MatrixRef& matrix) { return Tensor::from(matrix); }
inline Tensor tensor_of(const HeadsView& heads) { return heads.tensor(); }
inline Tensor tensor_of(const Heads& heads) { return Tensor::from(heads); }

template <class Right, class Actual>
void show(Evidence& evidence, std::string_view name, const Right& expected, const Actual& actual) {
  evidence.compared[std::string(name)] = {tensor_of(expected), tensor_of(actual)};
}

// Two answers that should agree do not. Which of them is wrong at the evidence's index (0 or 1)? That one is shown beside the right
// one, and its number there beside the right number: what is printed can be checked by hand.
std::size_t show_the_wrong_one(Evidence& evidence, std::string_view name, const Tensor& right,
                               const Tensor& first, const Tensor& second);
template <class Right, class First, class Second>
std::size_t show_the_wrong_one(Evidence& evidence, std::string_view name, const Right& right,
                               const First& first, const Second& second) {
  return show_the_wrong_one(evidence, name, tensor_of(right), tensor_of(first), tensor_of(second));
}

// The case's attention inputs, and a question that asks them, or what was made of them.
CaseInputs inputs_of(const Subject& subject, const Case& c);
template <class In>
Question ask(const Subject& subject, const In& in) {
  return {attention_arguments(*subject.spec, in)};
}

// Results of one reply.
MatrixView y_of(const Reply& reply);  // (T, d_out)
std::optional<HeadsView> weights_of(
    const Reply& reply);  // as they were returned; a single matrix is one head

// max |score| of a pair that a token may see.
double largest_visible_score(const Expected& expected);

MatrixOf<Wide> wide(const Matrix& m);
// x w_v, and w_o if there is one: what every row of y is a mean of, rounded once. (T, d_out)
Matrix values_alone(const Inputs<double>& in);
Heads weight_bounds(const Subject& subject, const Expected& expected);

bool has_heads(const Subject& subject);              // the exercise has an n_heads argument
bool has_output_projection(const Subject& subject);  // ... and w_o

}  // namespace attest
