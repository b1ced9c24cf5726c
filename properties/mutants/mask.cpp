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

auto fill_by(double fill) {
  return filled([](Index i, Index j) { return j > i; }, fill);
}

bool later(Index i, Index j) { return j > i; }

// `term` added to the scores that `hidden(i, j)` names.
template <class Hidden>
auto added_where(double term, Hidden hidden) {
  return [term, hidden](auto& stages) {
    stages.mask = [term, hidden](const auto&, auto& t) {
      t.masked = t.scaled;
      for (auto& head : t.masked) {
        for (Index i = 0; i < head.rows(); ++i) {
          for (Index j = 0; j < head.cols(); ++j) {
            if (hidden(i, j)) head(i, j) += static_cast<ScalarOf<decltype(head)>>(term);
          }
        }
      }
    };
  };
}

auto added(double term) { return added_where(term, later); }

constexpr double kInf = std::numeric_limits<double>::infinity();

// A measured number of that size, below 0.
auto hidden_score_between(double above, double upto) {
  return [above, upto](const Measured& measured) {
    const double score = measured.hidden_score;
    return -score > above && -score <= upto ? score : std::numeric_limits<double>::quiet_NaN();
  };
}

// Up to what float16 holds, what people write for "very small", and what cannot be reached by scores of trained models.
Mutant sentinel(std::string_view id, double fill, double above, double upto) {
  return with_measured({id,
                        "mask",
                        "hidden scores set to a finite number instead of -inf",
                        {2, 1, 1},
                        {"numerics/large-scores"}},
                       "fill", fill, fill_by, hidden_score_between(above, upto));
}

// Hidden scores set to 0 (np.tril), and then all that are 0 to `fill`.
auto zeros_filled(double fill) {
  return [fill](auto& stages) {
    stages.mask = [fill](const auto&, auto& t) {
      t.masked = t.scaled;
      for (auto& head : t.masked) {
        using S = ScalarOf<decltype(head)>;
        for (Index i = 0; i < head.rows(); ++i) {
          for (Index j = 0; j < head.cols(); ++j) {
            if (j > i || head(i, j) == 0) head(i, j) = static_cast<S>(fill);
          }
        }
      }
    };
  };
}

// Visible from `window` - 1 tokens back, and as far ahead or without an end.
auto window_both_ways(bool ends) {
  return [ends](double window) {
    return filled(
        [ends, window](Index i, Index j) {
          return static_cast<double>(i - j) >= window || (ends && static_cast<double>(j - i) >= window);
        },
        -kInf);
  };
}

Mutant window_uncovers_future() {
  const std::vector<double> windows = {4, 2, 3, 5, 6, 7, 8, 16};
  Mutant mutant = with_parameter({"window-uncovers-future",
                                  "mask",
                                  "a window of the last few keys in which later ones are visible",
                                  {2, 1, 1},
                                  {"weights/upper-triangle-zero", "causality/truncation-invariance"}},
                                 "window", windows, window_both_ways(false));
  for (const double window : windows) {
    mutant.others.emplace_back(window, stage_change(window_both_ways(true)(window)));
    // np.tril of a causal mask, to end it at the window: what was hidden beyond is visible again.
    mutant.others.emplace_back(
        window,
        stage_change(filled(
            [window](Index i, Index j) { return j > i && static_cast<double>(j - i) <= window; }, -kInf)));
  }
  return mutant;
}

Mutant zero_scores_hidden() {
  Mutant mutant = with_measured({"mask-zero-scores-hidden",
                                 "mask",
                                 "hides every score that is 0, visible ones too",
                                 {2, 1, 1},
                                 {"weights/uniform-when-query-is-zero"}},
                                "fill", -1e9, zeros_filled, hidden_score_between(1, kInf));
  mutant.others.emplace_back(-kInf, stage_change(zeros_filled(-kInf)));
  return mutant;
}

// np.triu without k=1. With a number that is finite the first row, all of whose scores are hidden, has weights all the same.
Mutant diag_excluded() {
  const auto own_and_later = [](Index i, Index j) { return j >= i; };
  Mutant mutant = stage_mutant("mask-diag-excluded", "mask", "hides the token itself, too (j < i)", {1, 1, 1},
                               {"output/finite"}, filled(own_and_later, -kInf));
  for (const double term : {-1e9, -1e10, -1e4}) {
    mutant = or_as(std::move(mutant), filled(own_and_later, term));
    mutant = or_as(std::move(mutant), added_where(term, own_and_later));
  }
  return mutant;
}

Mutant only_warned_of(Mutant mutant) {
  mutant.only_warned_of = true;
  return mutant;
}

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
                             kReplaced = "causality/future-tokens-replaced",
                             kUniform = "weights/uniform-when-query-is-zero";
  return {
      stage_mutant("mask-none", "mask", "no mask: every token sees all of them", {2, 1, 1},
                   {kTriangle, kTruncated}, filled([](Index, Index) { return false; }, 0)),
      stage_mutant("mask-result-discarded", "mask", "the masked scores are computed and thrown away",
                   {2, 1, 1}, {kTriangle, kTruncated}, filled([](Index, Index) { return false; }, 0)),
      diag_excluded(),
      stage_mutant("mask-diag-excluded-to-zero", "mask",
                   "hides the token itself, too; the empty row becomes 0", {1, 1, 1}, {kRows, kUniform},
                   [](auto& stages) {
                     filled([](Index i, Index j) { return j >= i; }, -kInf)(stages);
                     stages.softmax = [](const auto&, auto& t) {
                       t.weights.clear();
                       for (const auto& head : t.masked) {
                         auto weights = softmax(head);
                         weights.row(0).setZero();
                         t.weights.push_back(weights);
                       }
                     };
                   }),
      stage_mutant("mask-zero-times-inf", "mask", "-inf times the mask's 0 at visible places: NaN", {1, 1, 1},
                   {kFinite},
                   filled([](Index, Index) { return true; }, std::numeric_limits<double>::quiet_NaN())),
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
                   "hidden weights zeroed after the softmax, rows divided by what is left", {2, 1, 1},
                   {kReplaced}, zeroed_after(true)),
      sentinel("mask-fill-1e4", -1e4, 1, 65504),
      sentinel("mask-fill-1e5", -1e5, 65504, 3e7),
      sentinel("mask-fill-1e9", -1e9, 3e7, kInf),
      with_parameter({"mask-fill-tiny",
                      "mask",
                      "hidden scores set to a number that is nearly 0 (-1e-9 for -1e9)",
                      {2, 1, 1},
                      {kTriangle, kTruncated}},
                     "fill", {-1e-9, 1e-9, -1e-10, -1e-8, -1e-7, -1e-6, 1e-6, -1e-5, -1e-4}, fill_by),
      zero_scores_hidden(),
      with_measured({"mask-add-1e4", "mask", "adds a finite number to hidden scores", {2, 1, 1}, {kReplaced}},
                    "added", -1e4, added, hidden_score_between(1, kInf)),
      stage_mutant("mask-plus-inf", "mask", "hidden scores set to +inf", {2, 1, 1}, {kFinite},
                   filled(later, kInf)),
      stage_mutant("mask-bool-added", "mask", "adds True (1) to the hidden scores", {2, 1, 1},
                   {kTriangle, kTruncated}, added(1)),
      stage_mutant("mask-head0-only", "mask", "masks the first head only", {2, 2, 2},
                   {kTriangle, kTruncated, "heads/permutation"},
                   [](auto& stages) {
                     stages.mask = [](const auto& in, auto& t) {
                       t.masked = t.scaled;
                       t.masked[0] += causal_mask<ScalarOf<decltype(t.masked[0])>>(in.tokens());
                     };
                   }),
      with_parameter(
          {"mask-window", "mask", "keeps the last few keys only", {5, 1, 1}, {kUniform}}, "window",
          {4, 1, 2, 3, 5, 6, 7, 8, 16},
          [](double window) {
            return filled(
                [window](Index i, Index j) { return j > i || static_cast<double>(i - j) >= window; }, -kInf);
          }),
      window_uncovers_future(),
      with_parameter({"mask-chunk-top-left",
                      "mask",
                      "every chunk of queries gets the mask of the first",
                      {5, 1, 1},
                      {kUniform}},
                     "chunk", {4, 1, 2, 3, 5, 6, 7, 8, 16},
                     [](double chunk) {
                       return filled([n = static_cast<Index>(chunk)](Index i, Index j) { return j > i % n; },
                                     -kInf);
                     }),
      with_parameter(
          {"mask-blockwise",
           "mask",
           "hides whole blocks only: later tokens of a token's own block stay visible",
           {2, 1, 1},
           {kTriangle, kTruncated}},
          "block", {4, 2, 3, 8, 16, 32, 64, 128},
          [](double block) {
            return filled([n = static_cast<Index>(block)](Index i, Index j) { return j / n > i / n; }, -kInf);
          }),
      needs_weights(or_as(stage_mutant("mask-dropped-on-one-path", "mask",
                                       "y and the returned weights: one with the mask, the other without",
                                       {2, 1, 1}, {kTruncated, "values/mix-of-weights"},
                                       [](auto& stages) {
                                         stages.mix = [](const auto&, auto& t) {
                                           t.heads.clear();
                                           for (std::size_t g = 0; g < t.scaled.size(); ++g)
                                             t.heads.push_back(softmax(t.scaled[g]) * t.v_heads[g]);
                                         };
                                       }),
                          [](auto& stages) {
                            stages.output = [right = stages.output](const auto& in, auto& t) {
                              right(in, t);
                              for (std::size_t g = 0; g < t.scaled.size(); ++g)
                                t.weights[g] = softmax(t.scaled[g]);
                            };
                          })),
      // The reference is one of them: its tables are whole, so that a row here can change them.
      only_warned_of(stage_mutant("masked-nan-leaks", "mask",
                                  "hidden values times weights of 0 are added: a NaN among them reaches y",
                                  {2, 1, 1}, {"causality/hidden-nan"},
                                  [](auto& stages) {
                                    stages.mix = [](const auto&, auto& t) {
                                      t.heads.clear();
                                      for (std::size_t g = 0; g < t.weights.size(); ++g)
                                        t.heads.push_back(t.weights[g] * t.v_heads[g]);
                                    };
                                  })),
  };
}

}  // namespace attest
