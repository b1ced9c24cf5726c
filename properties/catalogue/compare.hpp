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

// The first element (row by row) of `actual` that is further than `bound` from `expected`.
std::optional<Evidence> first_difference(const Subject& subject, std::string_view tensor,
                                         const Matrix& actual, const Matrix& expected, const Matrix& bound);
// The same over heads; the index is then (head, row, column).
std::optional<Evidence> first_difference(const Subject& subject, std::string_view tensor, const Heads& actual,
                                         const Heads& expected, const Heads& bound);

// How far two answers of one implementation to the same mathematical question may be apart, if the implementation computes
// something like attention, right or wrong: a comparison of a function with itself must not say "wrong mask" about a wrong scale
// merely because larger scores round more. To twice the bounds of a right one it adds the rounding of scores as large as any mix-up
// of matrices, axes and scale can make them.
struct PairBound {
  Matrix y;       // (T, d_out)
  Heads weights;  // n_heads x (T, T)
};
PairBound pair_bound(const Subject& subject, const Inputs<double>& in, const Expected& expected,
                     const std::optional<Heads>& first, const std::optional<Heads>& second);

// Evidence becomes a verdict: adds the kind, the question and the whole tensors to show.
Verdict falsified(Evidence evidence, std::string_view kind, std::size_t question, std::string transform = {});
void show(Evidence& evidence, std::string_view name, const Matrix& expected, const Matrix& actual);
void show(Evidence& evidence, std::string_view name, const Heads& expected, const Heads& actual);

// Two answers that should agree do not. Which of them is wrong at the evidence's index (0 or 1)? That one is shown beside the right
// one, and its number there beside the right number: what is printed can be checked by hand.
std::size_t show_the_wrong_one(Evidence& evidence, std::string_view name, const Matrix& right,
                               const Matrix& first, const Matrix& second);
std::size_t show_the_wrong_one(Evidence& evidence, std::string_view name, const Heads& right,
                               const Heads& first, const Heads& second);

// The case's attention inputs, and a question that asks them.
Inputs<double> inputs_of(const Subject& subject, const Case& c);
Question ask(const Subject& subject, const Inputs<double>& in);

// Results of one reply.
Matrix y_of(const Reply& reply);                      // (T, d_out)
std::optional<Heads> weights_of(const Reply& reply);  // as they were returned; a single matrix is one head

// max |score| of a pair that a token may see.
double largest_visible_score(const Expected& expected);

MatrixOf<Wide> wide(const Matrix& m);
Heads weight_bounds(const Subject& subject, const Inputs<double>& in, const Expected& expected);

bool has_heads(const Subject& subject);              // the exercise has an n_heads argument
bool has_output_projection(const Subject& subject);  // ... and w_o

}  // namespace attest
