// How far the weights of one row of a softmax may be from the exact ones. Notation as in bounds.cpp.
#pragma once

#include "properties/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

// What the implementation's type does to a number.
struct Arithmetic {
  double u;    // unit roundoff
  double tau;  // smallest normal number
  double
      range;  // half of the largest finite number: magnitudes up to here can be summed in any order without overflow

  double gamma(Index n) const { return gamma(static_cast<double>(n)); }
  double gamma(double n) const { return n * u / (1 - n * u); }
};
Arithmetic arithmetic(Dtype dtype);

// The visible part of one row of one head.
template <class S>
struct Row {
  const S* scores;        // (n)  s_j
  const double* errors;   // (n)  E_j >= |hat s_j - s_j|
  const double* weights;  // (n)  w_j
  Index n;
  S peak = 0;            // s_max
  double largest = 0;    // max_j w_j = exp(0) / sum_k exp(s_k - s_max)
  double max_error = 0;  // max_j E_j

  Row(const S* s, const double* e, const double* w, Index terms)
      : scores(s),
        errors(e),
        weights(w),
        n(terms),
        peak(*std::max_element(s, s + terms)),
        largest(*std::max_element(w, w + terms)),
        max_error(*std::max_element(e, e + terms)) {}

  S below_peak(Index j) const { return scores[j] - peak; }  // <= 0
  // ln w_j, also where w_j itself is 0.
  double log_weight(Index j) const { return static_cast<double>(below_peak(j)) + std::log(largest); }
};

struct RowSum {
  double above = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
};

// Bounds the weights of one row into `error` (n), and their sum. S: double or Wide.
template <class S>
RowSum weight_error(const Row<S>& row, const Arithmetic& a, double* error);

}  // namespace attest
