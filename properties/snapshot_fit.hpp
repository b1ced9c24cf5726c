// What the numbers of one snapshot are, seen from the right values of the same call.
#pragma once

#include "properties/bounds.hpp"
#include "properties/candidate.hpp"

#include <optional>
#include <vector>

namespace attest {

// The right values of every stage.
struct RightValues {
  RightValues(const Inputs<double>& inputs, Dtype dtype);
  Inputs<double> in;
  Trace<double> trace;
  Expected expected;
  Index h, T;
  double scale;      // 1 / sqrt(d_k)
  double tolerance;  // relative, of what is compared as a whole
  double vanishes;   // what is smaller than the largest of its row by this has weight exactly 0
};

// How much of a value a snapshot holds, and whether its axes are in the stage's own order.
enum class Part { none, some_heads, all };

// Whether the snapshot is this value: (n_heads, T, d) in any order of axes, side by side in a matrix, the first heads of it, or one head.
// `factor`: what it is multiplied with, if it may be.
Part part_of(const Tensor& value, const Heads& heads, double tolerance, double* factor = nullptr);
// Whether it is made of the value's numbers, in whatever order, without being the value.
bool is_rearranged(const Tensor& value, const Heads& heads, double tolerance);

// Whether it has the shape of one, or several, heads of width d or of all of them side by side.
bool has_shape_of(const Tensor& value, const Heads& heads);

// (n, T, S) with S >= T, whatever the order in which the snapshot has its axes; the other reading of it first transposed.
std::vector<Tensor> as_scores(const Tensor& value, const RightValues& right);

// Numbers of a softmax's argument: factor * (q k^T) + something for each row, where they are not hidden.
enum class Hidden { masked, open, partly, zero, wrong };  // of the entries that must be hidden
struct ScoresFit {
  double factor = 0;
  bool is_close = false;  // only to three digits: precision was lost
  Hidden hidden = Hidden::open;
  bool visible_masked = false;

  bool is_open() const { return hidden == Hidden::open && !visible_masked; }
  bool is_masked() const { return hidden == Hidden::masked && !visible_masked; }
};
// `products`: n_heads x (T, T) that should be q k^T. `logarithm`: the snapshot holds exponentials.
std::optional<ScoresFit> fit_scores(const Tensor& value, const Heads& products, const RightValues& right,
                                    bool logarithm);

// Whether these are weights as they should be; unless they are complete, rows of zeros are still to come.
bool is_right_weights(const Tensor& value, const RightValues& right, bool is_complete);

// Rows of scores by themselves: factor * (q k^T) + anything, of some token. Nothing: they are not.
std::optional<double> fit_row(const Tensor& value, const RightValues& right, bool logarithm);

// Number by number; NaN is like NaN.
bool is_alike(const Tensor& a, const Tensor& b);
Heads transposed_heads(const Heads& heads);

// Masks, constants and the like: a few numbers again and again.
bool is_constant(const Tensor& value);

}  // namespace attest
