// The right answer in a wider type, and how far a correct implementation may be from it: per element, never a tolerance.
// The derivation stands in bounds.cpp.
#pragma once

#include "properties/tensor.hpp"

namespace attest {

// Precision of the implementation under test, as the bounds need it.
struct Precision {
  double unit_roundoff;    // 2^-24 or 2^-53
  double smallest_normal;  // below it, a relative error means nothing
};
Precision precision(Dtype dtype);

using Wide = long double;

// The oracle's result for one set of inputs.
struct Expected {
  Trace<double>
      trace;  // every intermediate; computed in Wide and then rounded once, which is far inside the bounds
  Heads score_error;   // n_heads x (T, T): |computed - exact| of a visible scaled score
  Heads weight_error;  // n_heads x (T, T): of a weight; 0 where hidden (there exactly 0 is asked for)
  Matrix row_above;    // (n_heads, T): by how much a row's sum may exceed 1 ...
  Matrix row_below;    // (n_heads, T): ... or fall short of it
  Heads head_error;    // n_heads x (T, d_v): of a head's output
  Matrix y_error;      // (T, d_out)
};

// How the right answer is computed. `quick`: in double, many times faster, so in float64 it has rounded as a submission has; what is
// within half a bound of it is within the bound of the exact answer too, for its own error is less than the other half
// (bounds_soak measures it). Scores so large that this might not hold are computed exactly all the same.
enum class Care { exact, quick };

// Computes answer and bounds. float32: `in` must hold float values.
Expected expect(const Inputs<double>& in, Dtype dtype, Care care = Care::exact);

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
