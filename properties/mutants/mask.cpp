// The causal mask: missing, shifted, transposed, too late, or of a finite size.
#include "properties/mutants/zoo.hpp"

#include <cmath>

namespace attest {
namespace {

template <class M>
using ScalarOf = typename std::decay_t<M>::Scalar;

// Scores that `hidden(i, j, T)` names become `fill`.
template <class Hidden>
auto filled(Hidden hidden, double fill) {
  return [hidden, fill](auto& stages) {
    stages.mask = [hidden, fill](const auto&, auto& t) {
      t.masked = t.scaled;
      for (auto& head : t.masked) {
        for (Index i = 0; i < head.rows(); ++i) {
          for (Index j = 0; j < head.cols(); ++j) {
            if (hidden(i, j)) head(i, j) = static_cast<ScalarOf<decltype(head)>>(fill);
          }
        }
      }
    };
  };
}

constexpr double kInf = std::numeric_limits<double>::infinity();
bool later(Index i, Index j) { return j > i; }

// Weights computed without a mask, then hidden ones zeroed; rows divided by what is left if `renormalise`.
auto zeroed_after(bool renormalise) {
  return [renormalise](auto& stages) {
    stages.mask = [](const auto&, auto& t) { t.masked = t.scaled; };
    stages.softmax = [renormalise](const auto&, auto& t) {
      t.weights.clear();
      for (const auto& head : t.masked) {
        auto weights = softmax(head);
        for (Index i = 0; i < weights.rows(); ++i) {
          weights.row(i).tail(weights.cols() - i - 1).setZero();
          if (renormalise) weights.row(i) /= weights.row(i).sum();
        }
        t.weights.push_back(weights);
      }
    };
  };
}

}  // namespace

std::vector<Mutant> mask_mutants() {
  constexpr std::string_view kTriangle = "weights/upper-triangle-zero",
                             kTruncated = "causality/truncation-invariance",
                             kRows = "weights/rows-sum-to-one", kFinite = "output/finite",
                             kLarge = "numerics/large-scores", kReplaced = "causality/future-tokens-replaced",
                             kUniform = "weights/uniform-when-query-is-zero";
  return {
      stage_mutant("mask-none", "mask", "no mask", {2, 1, 1}, {kTriangle, kTruncated},
                   filled([](Index, Index) { return false; }, 0)),
      stage_mutant("mask-diag-excluded", "mask", "hides the token itself, too (j < i)", {1, 1, 1}, {kFinite},
                   filled([](Index i, Index j) { return j >= i; }, -kInf)),
      stage_mutant("mask-one-ahead", "mask", "shows one token too many (j <= i + 1)", {2, 1, 1},
                   {kTriangle, kTruncated}, filled([](Index i, Index j) { return j > i + 1; }, -kInf)),
      stage_mutant("mask-anti-causal", "mask", "keeps j >= i: transposed", {2, 1, 1}, {kTriangle, kTruncated},
                   filled([](Index i, Index j) { return j < i; }, -kInf)),
      stage_mutant("mask-inverted-bool", "mask", "keeps j > i: the mask negated", {1, 1, 1}, {kFinite},
                   filled([](Index i, Index j) { return j <= i; }, -kInf)),
      stage_mutant("mask-zero-fill", "mask", "hidden scores set to 0 before the softmax", {2, 1, 1},
                   {kTriangle, kTruncated}, filled(later, 0)),
      stage_mutant("mask-after-softmax", "mask", "hidden weights zeroed after the softmax, not renormalised",
                   {2, 1, 1}, {kRows, kTruncated}, zeroed_after(false)),
      stage_mutant("mask-after-softmax-renorm", "mask",
                   "... and renormalised: right until the visible weights underflow", {2, 1, 1}, {kReplaced},
                   zeroed_after(true)),
      stage_mutant("mask-fill-1e4", "mask", "hidden scores set to -1e4", {2, 1, 1}, {kLarge},
                   filled(later, -1e4)),
      stage_mutant("mask-fill-1e9", "mask", "hidden scores set to -1e9", {2, 1, 1}, {kLarge},
                   filled(later, -1e9)),
      stage_mutant("mask-add-1e4", "mask", "adds -1e4 to hidden scores", {2, 1, 1}, {kReplaced},
                   [](auto& stages) {
                     stages.mask = [](const auto&, auto& t) {
                       t.masked = t.scaled;
                       for (auto& head : t.masked) {
                         for (Index i = 0; i < head.rows(); ++i)
                           head.row(i).tail(head.cols() - i - 1).array() -= 10000;
                       }
                     };
                   }),
      stage_mutant("mask-plus-inf", "mask", "hidden scores set to +inf", {2, 1, 1}, {kFinite},
                   filled(later, kInf)),
      stage_mutant("mask-bool-added", "mask", "adds True (1) to the hidden scores", {2, 1, 1},
                   {kTriangle, kTruncated},
                   [](auto& stages) {
                     stages.mask = [](const auto&, auto& t) {
                       t.masked = t.scaled;
                       for (auto& head : t.masked) {
                         for (Index i = 0; i < head.rows(); ++i)
                           head.row(i).tail(head.cols() - i - 1).array() += 1;
                       }
                     };
                   }),
      stage_mutant("mask-head0-only", "mask", "masks the first head only", {2, 2, 2},
                   {kTriangle, kTruncated, "heads/permutation"},
                   [](auto& stages) {
                     stages.mask = [](const auto& in, auto& t) {
                       t.masked = t.scaled;
                       t.masked[0] += causal_mask<ScalarOf<decltype(t.masked[0])>>(in.tokens());
                     };
                   }),
      stage_mutant("mask-window", "mask", "keeps the last 4 keys only", {5, 1, 1}, {kUniform},
                   filled([](Index i, Index j) { return j > i || j + 4 <= i; }, -kInf)),
      stage_mutant("mask-dropped-on-one-path", "mask", "y without the mask, the returned weights with it",
                   {2, 1, 1}, {kTruncated, "values/mix-of-weights"},
                   [](auto& stages) {
                     stages.mix = [](const auto&, auto& t) {
                       t.heads.clear();
                       for (std::size_t g = 0; g < t.scaled.size(); ++g)
                         t.heads.push_back(softmax(t.scaled[g]) * t.v_heads[g]);
                     };
                   }),
  };
}

}  // namespace attest
