// The softmax: another axis, other terms, overflow.
#include "properties/mutants/zoo.hpp"

#include <cmath>

namespace attest {
namespace {

template <class M>
using ScalarOf = typename std::decay_t<M>::Scalar;

// `weigh(head)` takes the place of the softmax of one head's masked scores.
template <class Weigh>
auto weighed(Weigh weigh) {
  return [weigh](auto& stages) {
    stages.softmax = [weigh](const auto&, auto& t) {
      t.weights.clear();
      for (const auto& head : t.masked) t.weights.push_back(weigh(head));
    };
  };
}

template <class M>
std::decay_t<M> exponentials(const M& scores) {
  return scores.unaryExpr([](auto s) { return std::exp(s); });
}

// Rows of e^(s - peak(row)) divided by `sum`.
template <class M, class Sum>
std::decay_t<M> rows(const M& scores, Sum sum) {
  std::decay_t<M> weights = scores;
  for (Index i = 0; i < scores.rows(); ++i) {
    weights.row(i) = exponentials((scores.row(i).array() - scores.row(i).maxCoeff()).matrix().eval());
    weights.row(i) /= static_cast<ScalarOf<M>>(sum(weights.row(i)));
  }
  return weights;
}

// A maximum that is not the row's own over what it may see.
template <class Peak>
auto shifted_by(Peak peak) {
  return weighed([peak](const auto& head) {
    std::decay_t<decltype(head)> weights = exponentials((head.array() - peak(head)).matrix().eval());
    for (Index i = 0; i < weights.rows(); ++i) weights.row(i) /= weights.row(i).sum();
    return weights;
  });
}

// Rounded to float16: 11 significant bits, subnormals in steps of 2^-24, beyond 65504 infinite (IEEE 754-2019, binary16).
double to_half(double s) {
  if (!std::isfinite(s) || s == 0) return s;
  const double step = std::ldexp(1.0, std::max(std::ilogb(s), -14) - 10);
  const double rounded = std::nearbyint(s / step) * step;
  return std::fabs(rounded) > 65504 ? std::copysign(std::numeric_limits<double>::infinity(), s) : rounded;
}

template <class Heads>
void store_in_half(Heads& heads) {
  for (auto& head : heads) {
    using S = ScalarOf<decltype(head)>;
    head = head.unaryExpr([](S s) { return static_cast<S>(to_half(s)); }).eval();
  }
}

// -inf in place of what may be infinite itself.
template <class In, class T>
void hide_later(const In& in, T& t) {
  for (auto& head : t.masked) {
    using S = ScalarOf<decltype(head)>;
    for (Index i = 0; i < in.tokens(); ++i)
      head.row(i).tail(in.tokens() - i - 1).setConstant(-std::numeric_limits<S>::infinity());
  }
}

auto eps_added(double eps) {
  return weighed([eps](const auto& head) {
    return rows(head, [eps](const auto& e) { return e.sum() + ScalarOf<decltype(e)>(eps); });
  });
}

// Scores between -limit and limit before the mask.
auto clipped(double limit) {
  return [limit](auto& stages) {
    stages.mask = [limit](const auto& in, auto& t) {
      t.masked = t.scaled;
      for (auto& head : t.masked) {
        using S = ScalarOf<decltype(head)>;
        head = head.cwiseMax(static_cast<S>(-limit)).cwiseMin(static_cast<S>(limit)).eval();
        head += causal_mask<S>(in.tokens());
      }
    };
  };
}

// Scores bent so that none exceeds `cap`: cap tanh(s / cap).
auto capped(double cap) {
  return [cap](auto& stages) {
    stages.mask = [cap](const auto& in, auto& t) {
      t.masked = t.scaled;
      for (auto& head : t.masked) {
        using S = ScalarOf<decltype(head)>;
        head = head.unaryExpr([c = static_cast<S>(cap)](S s) { return c * std::tanh(s / c); }).eval();
      }
      hide_later(in, t);
    };
  };
}

// Keys in tiles of `tile`, in which every row of tokens is padded; what is added scores 0 instead of -inf.
auto padded(double tile) {
  return weighed([tile](const auto& head) {
    const auto n = static_cast<double>(head.cols());
    const double extra = std::ceil(n / tile) * tile - n;
    std::decay_t<decltype(head)> weights = head;
    for (Index i = 0; i < head.rows(); ++i) {
      auto peak = head.row(i).maxCoeff();
      if (extra > 0) peak = std::max(peak, decltype(peak)(0));
      weights.row(i) = exponentials((head.row(i).array() - peak).matrix().eval());
      weights.row(i) /=
          weights.row(i).sum() + (extra > 0 ? static_cast<decltype(peak)>(extra) * std::exp(-peak) : 0);
    }
    return weights;
  });
}

}  // namespace

std::vector<Mutant> softmax_mutants() {
  constexpr std::string_view kRows = "weights/rows-sum-to-one",
                             kUniform = "weights/uniform-when-query-is-zero",
                             kLarge = "numerics/large-scores", kTriangle = "weights/upper-triangle-zero",
                             kRatios = "scores/log-ratios";
  return {
      stage_mutant("softmax-over-queries", "softmax", "normalises over the queries: columns sum to 1",
                   {2, 1, 1}, {kRows, kUniform}, weighed([](const auto& head) {
                     std::decay_t<decltype(head)> columns = head.transpose();
                     columns = softmax(columns);
                     return std::decay_t<decltype(head)>(columns.transpose());
                   })),
      stage_mutant(
          "softmax-over-heads", "softmax", "normalises over heads", {1, 2, 2}, {kRows, kUniform},
          [](auto& stages) {
            stages.softmax = [](const auto&, auto& t) {
              t.weights = t.masked;
              for (Index i = 0; i < t.masked[0].rows(); ++i) {
                for (Index j = 0; j < t.masked[0].cols(); ++j) {
                  if (j > i) {  // -inf in every head: 0/0 in the naive version; people then clean it up to 0
                    for (auto& head : t.weights) head(i, j) = 0;
                    continue;
                  }
                  auto peak = t.masked[0](i, j), sum = peak * 0;
                  for (const auto& head : t.masked) peak = std::max(peak, head(i, j));
                  for (const auto& head : t.masked) sum += std::exp(head(i, j) - peak);
                  for (std::size_t g = 0; g < t.masked.size(); ++g)
                    t.weights[g](i, j) = std::exp(t.masked[g](i, j) - peak) / sum;
                }
              }
            };
          }),
      stage_mutant("softmax-joint-heads-keys", "softmax", "one softmax over heads and keys together",
                   {1, 2, 2}, {kRows, kUniform},
                   [](auto& stages) {
                     stages.softmax = [](const auto& in, auto& t) {
                       auto wide = merge_heads(t.masked);  // (T, n_heads T)
                       wide = softmax(wide);
                       t.weights = split_heads(wide, in.n_heads);
                     };
                   }),
      stage_mutant("softmax-no-max", "softmax", "does not subtract the maximum: exp overflows or becomes 0",
                   {1, 1, 1}, {kLarge}, shifted_by([](const auto&) { return 0; })),
      or_as(stage_mutant("softmax-global-max", "softmax", "subtracts the maximum of the whole matrix",
                         {2, 1, 1}, {kLarge}, shifted_by([](const auto& head) { return head.maxCoeff(); })),
            [](auto& stages) {  // of all heads
              stages.softmax = [](const auto& in, auto& t) {
                auto largest = t.masked[0].maxCoeff();
                for (const auto& head : t.masked) largest = std::max(largest, head.maxCoeff());
                Stages<std::decay_t<decltype(largest)>> shifted;
                shifted_by([largest](const auto&) { return largest; })(shifted);
                shifted.softmax(in, t);
              };
            }),
      stage_mutant("softmax-max-over-masked", "softmax", "the maximum includes hidden scores", {2, 1, 1},
                   {"causality/future-tokens-replaced"},
                   [](auto& stages) {
                     stages.softmax = [](const auto&, auto& t) {
                       t.weights.clear();
                       for (std::size_t g = 0; g < t.masked.size(); ++g) {
                         auto weights = t.masked[g];
                         for (Index i = 0; i < weights.rows(); ++i) {
                           weights.row(i) = exponentials(
                               (t.masked[g].row(i).array() - t.scaled[g].row(i).maxCoeff()).matrix().eval());
                           weights.row(i) /= weights.row(i).sum();
                         }
                         t.weights.push_back(weights);
                       }
                     };
                   }),
      stage_mutant("softmax-whole-matrix", "softmax", "one softmax over all queries and keys of a head",
                   {2, 1, 1}, {kRows, kUniform}, weighed([](const auto& head) {
                     std::decay_t<decltype(head)> weights =
                         exponentials((head.array() - head.maxCoeff()).matrix().eval());
                     weights /= weights.sum();
                     return weights;
                   })),
      with_parameter({"softmax-eps", "softmax", "adds a small number to the denominator", {1, 1, 1}, {kRows}},
                     "eps", {1e-6, 1e-2, 1e-3, 1e-4, 1e-5, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12}, eps_added),
      with_parameter({"softmax-clipped-scores",
                      "softmax",
                      "clips the scores before the softmax",
                      {2, 1, 1},
                      {"numerics/largest-key-wins"}},
                     "limit", {50, 10, 20, 30, 60, 80, 88, 100, 500, 700}, clipped),
      with_parameter({"softcap",
                      "softmax",
                      "scores bent by cap * tanh(scores / cap)",
                      {2, 1, 1},
                      {kRatios, "numerics/largest-key-wins"}},
                     "cap", {50, 30, 20, 10, 100, 5, 15, 25, 40, 8, 2, 1}, capped),
      stage_mutant("softmax-sigmoid", "softmax", "a sigmoid of every score instead of a softmax of the row",
                   {1, 1, 1}, {kRows, kUniform}, weighed([](const auto& head) {
                     return std::decay_t<decltype(head)>(
                         head.unaryExpr([](auto s) { return 1 / (1 + std::exp(-s)); }));
                   })),
      or_as(
          stage_mutant("softmax-fp16-scores", "softmax", "scores pass through float16", {2, 1, 1}, {kRatios},
                       [](auto& stages) {
                         stages.mask = [](const auto& in, auto& t) {
                           t.masked = t.scaled;
                           store_in_half(t.masked);
                           hide_later(in, t);
                         };
                       }),
          [](auto& stages) {  // before they are scaled
            stages.scale = [right = stages.scale](const auto& in, auto& t) {
              store_in_half(t.scores);
              right(in, t);
            };
            stages.mask = [](const auto& in, auto& t) {
              t.masked = t.scaled;
              hide_later(in, t);
            };
          }),
      with_parameter({"tile-pad-counted",
                      "softmax",
                      "keys that fill up the last tile score 0, not -inf",
                      {1, 1, 1},
                      {kRows}},
                     "tile", {4, 2, 3, 8, 16, 32, 64, 128}, padded),
      stage_mutant(
          "softmax-plus-one", "softmax", "adds 1 to the denominator", {1, 1, 1}, {kRows, kUniform},
          weighed([](const auto& head) { return rows(head, [](const auto& e) { return e.sum() + 1; }); })),
      stage_mutant("softmax-sink", "softmax", "a score of 0 that belongs to no key is in every sum",
                   {1, 1, 1}, {kRows, kUniform}, weighed([](const auto& head) {
                     std::decay_t<decltype(head)> weights = head;
                     for (Index i = 0; i < head.rows(); ++i) {
                       const auto peak = std::max(head.row(i).maxCoeff(), ScalarOf<decltype(head)>(0));
                       weights.row(i) = exponentials((head.row(i).array() - peak).matrix().eval());
                       weights.row(i) /= weights.row(i).sum() + std::exp(-peak);
                     }
                     return weights;
                   })),
      stage_mutant("softmax-no-keepdims-sum", "softmax", "row j's sum divides column j", {2, 1, 1},
                   {kRows, kUniform}, weighed([](const auto& head) {
                     std::decay_t<decltype(head)> e = head, weights = head;
                     for (Index i = 0; i < head.rows(); ++i)
                       e.row(i) =
                           exponentials((head.row(i).array() - head.row(i).maxCoeff()).matrix().eval());
                     for (Index j = 0; j < head.cols(); ++j) weights.col(j) = e.col(j) / e.row(j).sum();
                     return weights;
                   })),
      stage_mutant("softmax-twice", "softmax", "a softmax of the softmax", {2, 1, 1}, {kTriangle},
                   weighed([](const auto& head) {
                     std::decay_t<decltype(head)> once = softmax(head);
                     return softmax(once);
                   })),
      stage_mutant("scores-unused", "softmax", "every visible token weighs the same, whatever the scores are",
                   {2, 1, 1}, {"scores/attend", "scores/scaled-by-d-head"}, weighed([](const auto& head) {
                     std::decay_t<decltype(head)> weights = head;
                     weights.setZero();
                     for (Index i = 0; i < head.rows(); ++i)
                       weights.row(i).head(i + 1).setConstant(1 /
                                                              static_cast<decltype(weights.sum())>(i + 1));
                     return weights;
                   })),
      stage_mutant("softmax-absent", "softmax", "raw scores as weights", {1, 1, 1}, {kRows},
                   weighed([](const auto& head) {
                     std::decay_t<decltype(head)> weights = head;
                     for (Index i = 0; i < head.rows(); ++i)
                       weights.row(i).tail(head.cols() - i - 1).setZero();
                     return weights;
                   })),
      stage_mutant("softmax-negated", "softmax", "softmax of minus the scores", {2, 1, 1},
                   {"scores/scaled-by-d-head", kRatios},
                   [](auto& stages) {
                     stages.scale = [](const auto& in, auto& t) {
                       t.scaled = t.scores;
                       for (auto& head : t.scaled)
                         head /= -std::sqrt(static_cast<ScalarOf<decltype(head)>>(in.d_k()));
                     };
                   }),
      stage_mutant("softmax-nan-to-zero", "softmax", "no maximum subtracted; rows that overflow become 0",
                   {1, 1, 1}, {kLarge}, weighed([](const auto& head) {
                     std::decay_t<decltype(head)> weights = exponentials(head);
                     for (Index i = 0; i < weights.rows(); ++i) weights.row(i) /= weights.row(i).sum();
                     return std::decay_t<decltype(head)>(weights.unaryExpr([](auto w) {
                       return std::isfinite(w) ? w : w * 0 == 0 ? w : decltype(w)(0);
                     }));
                   })),
  };
}

}  // namespace attest
