// The right answer, and how far a correct implementation may be from it: per element, never a tolerance. The derivation stands in
// bounds.cpp and, for one row of the softmax, in softmax_bounds.cpp.
#pragma once

#include "properties/heads_view.hpp"
#include "properties/tensor.hpp"

#include <vector>

namespace attest {

// Precision of the implementation under test, as the bounds need it.
struct Precision {
  double unit_roundoff;    // 2^-24 or 2^-53
  double smallest_normal;  // below it, a relative error means nothing
};
Precision precision(Dtype dtype);

// In which right answers are computed. They are kept in double: rounding them once is far inside every bound.
using Wide = long double;

// The oracle's result for one set of inputs. Move-only: the views are of its own memory.
class Expected {
 public:
  Expected() = default;
  explicit Expected(Inputs<double> inputs);
  Expected(Expected&&) = default;
  Expected& operator=(Expected&&) = default;

  Inputs<double> in;
  HeadsView scaled;        // n_heads x (T, T): scores / sqrt(d_k), before the mask
  HeadsView weights;       // n_heads x (T, T)
  HeadsView heads;         // n_heads x (T, d_v)
  HeadsView score_error;   // n_heads x (T, T): |computed - exact| of a scaled score
  HeadsView weight_error;  // n_heads x (T, T): of a weight; 0 where hidden (there exactly 0 is asked for)
  HeadsView head_error;    // n_heads x (T, d_v): of a head's output

  MatrixView y() const { return y_[0]; }              // (T, d_out)
  MatrixView y_error() const { return y_error_[0]; }  // (T, d_out)
  MatrixView row_above() const {
    return row_above_[0];
  }  // (n_heads, T): by how much a row's sum may exceed 1 ...
  MatrixView row_below() const { return row_below_[0]; }  // (n_heads, T): ... or fall short of it
  std::size_t bytes() const;                              // of memory, about

 private:
  friend class Computation;
  std::vector<double> numbers_;
  HeadsView y_, y_error_, row_above_, row_below_;
};

// How the right answer is computed. `quick`: in double, many times faster, so in float64 it has rounded as a submission has; what is
// within half a bound of it is within the bound of the exact answer too, for its own error is less than the other half
// (bounds_test measures it). Scores so large that this might not hold are computed exactly all the same.
enum class Care { exact, quick };

// Computes answer and bounds. float32: `in` must hold float values.
Expected expect(Inputs<double> in, Dtype dtype, Care care = Care::exact);

// The softmax of given scores, row by row: (T, S). Entries may be -inf (weight 0); a row has a finite one.
struct ExpectedSoftmax {
  Matrix weights;       // (T, S)
  Matrix weight_error;  // (T, S); 0 where the score is -inf
  Matrix row_above;     // (1, T): by how much a row's sum may exceed 1 ...
  Matrix row_below;     // (1, T): ... or fall short of it
};
ExpectedSoftmax expect_softmax(const Matrix& scores, Dtype dtype);

// max |score| over all heads and pairs, hidden ones included. Fast (double).
double largest_score(const Inputs<double>& in);

}  // namespace attest
