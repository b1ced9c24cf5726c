// Scores multiplied by something other than 1 / sqrt(d_head), or at another place.
#include "properties/mutants/zoo.hpp"

#include <cmath>

namespace attest {
namespace {

// `factor(in)` takes the place of 1 / sqrt(d_head).
template <class Factor>
auto scaled_by(Factor factor) {
  return [factor](auto& stages) {
    stages.scale = [factor](const auto& in, auto& t) {
      t.scaled = t.scores;
      for (auto& head : t.scaled)
        head *= static_cast<typename std::decay_t<decltype(head)>::Scalar>(factor(in));
    };
  };
}

double d_head(const auto& in) { return static_cast<double>(in.d_k()); }

auto masked_then_scaled(double fill) {
  return [fill](auto& stages) {
    scaled_by([](const auto&) { return 1.0; })(stages);
    stages.mask = [fill](const auto& in, auto& t) {
      t.masked = t.scaled;
      for (auto& head : t.masked) {
        using S = typename std::decay_t<decltype(head)>::Scalar;
        for (Index i = 0; i < head.rows(); ++i)
          head.row(i).tail(head.cols() - i - 1).array() += static_cast<S>(fill);
        head /= std::sqrt(static_cast<S>(in.d_k()));
      }
    };
  };
}

}  // namespace

std::vector<Mutant> scale_mutants() {
  constexpr std::string_view kCalibration = "scores/scaled-by-d-head", kRatios = "scores/log-ratios";
  return {
      stage_mutant("scale-sqrt-d-model", "scale", "scores divided by sqrt(d_model)", {2, 2, 2},
                   {kCalibration, "scores/zero-heads-added"}, scaled_by([](const auto& in) {
                     return 1 / std::sqrt(static_cast<double>(in.d_model()));
                   })),
      stage_mutant("scale-missing", "scale", "scores are not scaled", {2, 2, 1},
                   {kCalibration, "scores/heads-padded"}, scaled_by([](const auto&) { return 1.0; })),
      stage_mutant("scale-inverted", "scale", "scores multiplied by sqrt(d_head)", {2, 2, 1}, {kCalibration},
                   scaled_by([](const auto& in) { return std::sqrt(d_head(in)); })),
      stage_mutant("scale-twice", "scale", "scores divided by d_head", {2, 2, 1}, {kCalibration},
                   scaled_by([](const auto& in) { return 1 / d_head(in); })),
      stage_mutant("scale-sqrt-heads", "scale", "scores divided by sqrt(n_heads)", {2, 2, 1},
                   {kCalibration, "scores/zero-heads-added"},
                   scaled_by([](const auto& in) { return 1 / std::sqrt(static_cast<double>(in.n_heads)); })),
      stage_mutant("scale-precedence", "scale", "scores divided by d_head / 2 (d_head**1/2)", {2, 1, 1},
                   {kCalibration, kRatios}, scaled_by([](const auto& in) { return 2 / d_head(in); })),
      with_parameter({"scale-padded-dim",
                      "scale",
                      "scores divided by the root of d_head rounded up to a multiple of a number",
                      {2, 1, 1},
                      {kCalibration, kRatios}},
                     "number", {8, 4, 16, 32, 64},
                     [](double n) {
                       return scaled_by(
                           [n](const auto& in) { return 1 / std::sqrt(n * std::ceil(d_head(in) / n)); });
                     }),
      stage_mutant("scale-integer-root", "scale",
                   "scores divided by the root of d_head cut to a whole number", {2, 2, 1}, {kCalibration},
                   scaled_by([](const auto& in) { return 1 / std::floor(std::sqrt(d_head(in))); })),
      stage_mutant("scale-fourth-root", "scale",
                   "scores divided by the fourth root of d_head: one side of two", {2, 2, 1}, {kCalibration},
                   scaled_by([](const auto& in) { return 1 / std::sqrt(std::sqrt(d_head(in))); })),
      stage_mutant("scale-sqrt-tokens", "scale", "scores divided by sqrt(T)", {2, 1, 1},
                   {kCalibration, kRatios, "causality/truncation-invariance"},
                   scaled_by([](const auto& in) { return 1 / std::sqrt(static_cast<double>(in.tokens())); })),
      stage_mutant("scale-exp2", "scale", "2^s in place of e^s", {2, 1, 1}, {kCalibration, kRatios},
                   scaled_by([](const auto& in) { return std::log(2.0) / std::sqrt(d_head(in)); })),
      stage_mutant("scale-after-softmax", "scale", "raw scores; weights divided by sqrt(d_head)", {1, 2, 1},
                   {"weights/rows-sum-to-one"},
                   [](auto& stages) {
                     scaled_by([](const auto&) { return 1.0; })(stages);
                     stages.softmax = [](const auto& in, auto& t) {
                       t.weights.clear();
                       for (const auto& head : t.masked)
                         t.weights.push_back(softmax(head) / std::sqrt(d_head(in)));
                     };
                   }),
      stage_mutant("scale-on-output", "scale", "raw scores; output divided by sqrt(d_head)", {1, 2, 1},
                   {"values/first-row"},
                   [](auto& stages) {
                     scaled_by([](const auto&) { return 1.0; })(stages);
                     stages.merge = [](const auto& in, auto& t) {
                       t.merged = merge_heads(t.heads) / std::sqrt(d_head(in));
                     };
                   }),
      with_measured(
          {"scale-constant",
           "scale",
           "scores multiplied by a constant, whatever d_head is",
           {2, 2, 1},
           {kCalibration, "scores/heads-padded"}},
          "factor", 0.125, [](double factor) { return scaled_by([factor](const auto&) { return factor; }); },
          [](const Measured&
                 measured) {  // 1 and 0 are other rows: no scale at all, and scores that are not used
            return measured.scale == 1 || measured.scale == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                              : measured.scale;
          }),
      with_measured({"scale-hits-mask",
                     "scale",
                     "adds a finite mask, then scales both",
                     {2, 1, 1},
                     {"numerics/large-scores"}},
                    "fill", -1e9, masked_then_scaled,
                    [](const Measured& measured) {  // of a score that was scaled, too
                      return measured.hidden_score < -1
                                 ? measured.hidden_score * std::sqrt(static_cast<double>(kMeasuredHead))
                                 : std::numeric_limits<double>::quiet_NaN();
                    }),
  };
}

}  // namespace attest
