// Correct implementations of causal multi-head attention that round differently: every formulation that a learner may
// reasonably write. The bounds must accept all of them (bounds_soak.cpp), and so must every property. For tests only.
#pragma once

#include "reference/attention.hpp"

#include <functional>
#include <string>
#include <vector>

namespace attest {

struct Style {
  std::string name;
  // It is right while no |score|, hidden ones included, exceeds this: exp without a maximum overflows, a fill of -1e9 stops
  // being far away.
  double max_score = 0;
  std::function<Answer<double>(const Inputs<double>&)> float64;
  std::function<Answer<float>(const Inputs<float>&)> float32;

  // In the given scalar, as a template would call it.
  Answer<double> operator()(const Inputs<double>& in) const { return float64(in); }
  Answer<float> operator()(const Inputs<float>& in) const { return float32(in); }
};

// Styles within the bounds of bounds.hpp. All take any d_k, d_v, w_o or none, and return weights.
const std::vector<Style>& correct_styles();

// Scores from x (w_q w_k^T) x^T. Right in exact arithmetic, but under cancellation in q or k its rounding errors grow with
// |x||w_q||w_k|^T|x|^T, which no bound on q k^T covers; a bound that did would be up to 8e5 times looser. Kept apart: where
// it leaves the bounds, that is advice to a learner, not a verdict.
const Style& merged_product_style();

}  // namespace attest
