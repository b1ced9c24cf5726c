// Projections and layout: the wrong matrix, the wrong columns, the wrong order.
#include "properties/mutants/zoo.hpp"

#include <cmath>

namespace attest {
namespace {

template <class M>
using MatrixLike = MatrixOf<typename std::decay_t<M>::Scalar>;

// The buffer of `m`, row by row, read as n matrices of (rows, cols) one after the other: reshape without a transpose.
template <class S>
HeadsOf<S> reshaped(const MatrixOf<S>& m, Index n, Index rows, Index cols) {
  HeadsOf<S> heads;
  for (Index g = 0; g < n; ++g)
    heads.push_back(Eigen::Map<const MatrixOf<S>>(m.data() + g * rows * cols, rows, cols));
  return heads;
}

// Columns g, g + n, g + 2n, ... for head g.
template <class S>
HeadsOf<S> interleaved(const MatrixOf<S>& m, Index n) {
  HeadsOf<S> heads;
  for (Index g = 0; g < n; ++g) {
    MatrixOf<S> head(m.rows(), m.cols() / n);
    for (Index c = 0; c < head.cols(); ++c) head.col(c) = m.col(c * n + g);
    heads.push_back(head);
  }
  return heads;
}

template <class S>
MatrixOf<S> merge_interleaved(const HeadsOf<S>& heads) {
  const auto n = static_cast<Index>(heads.size());
  MatrixOf<S> merged(heads[0].rows(), n * heads[0].cols());
  for (Index g = 0; g < n; ++g) {
    for (Index c = 0; c < heads[0].cols(); ++c)
      merged.col(c * n + g) = heads[static_cast<std::size_t>(g)].col(c);
  }
  return merged;
}

// The last stage as it should be, for what goes wrong beside it.
template <class In, class T>
void right_output(const In& in, T& t) {
  t.y = in.has_output_projection() ? MatrixLike<decltype(t.y)>(t.merged * in.w_o) : t.merged;
}

template <class Project>
auto projected(Project project) {
  return [project](auto& stages) { stages.project = [project](const auto& in, auto& t) { project(in, t); }; };
}

// All three splits by `split(matrix, n_heads)`.
template <class Split>
auto split_by(Split split) {
  return [split](auto& stages) {
    stages.split = [split](const auto& in, auto& t) {
      t.q_heads = split(t.q, in.n_heads);
      t.k_heads = split(t.k, in.n_heads);
      t.v_heads = split(t.v, in.n_heads);
    };
  };
}

template <class Merge>
auto merged_by(Merge merge) {
  return
      [merge](auto& stages) { stages.merge = [merge](const auto&, auto& t) { t.merged = merge(t.heads); }; };
}

constexpr auto split_view = [](const auto& m, Index n) { return reshaped(m, n, m.rows(), m.cols() / n); };

constexpr auto merge_view = [](const auto& heads) {
  auto stacked = heads[0];
  const Index rows = heads[0].rows(), cols = heads[0].cols(), n = static_cast<Index>(heads.size());
  stacked.resize(n * rows, cols);
  for (Index g = 0; g < n; ++g) stacked.middleRows(g * rows, rows) = heads[static_cast<std::size_t>(g)];
  return reshaped(stacked, 1, rows, n * cols)[0];
};

// Scores minus slope(head, n_heads) times the distance of the tokens.
template <class Slope>
auto biased_by_distance(Slope slope) {
  return [slope](auto& stages) {
    stages.scale = [slope](const auto& in, auto& t) {
      t.scaled = t.scores;
      for (std::size_t g = 0; g < t.scaled.size(); ++g) {
        auto& head = t.scaled[g];
        using S = typename std::decay_t<decltype(head)>::Scalar;
        head /= std::sqrt(static_cast<S>(in.d_k()));
        for (Index i = 0; i < head.rows(); ++i) {
          for (Index j = 0; j < head.cols(); ++j)
            head(i, j) -= static_cast<S>(slope(static_cast<double>(g), static_cast<double>(in.n_heads)) *
                                         static_cast<double>(i - j));
        }
      }
    };
  };
}

// Every head's block filled with `factor` times the sum of all heads.
auto all_heads_summed(bool average) {
  return merged_by([average](const auto& heads) {
    auto sum = heads[0];
    for (std::size_t g = 1; g < heads.size(); ++g) sum += heads[g];
    if (average) sum /= static_cast<typename std::decay_t<decltype(sum)>::Scalar>(heads.size());
    auto all = heads;
    for (auto& head : all) head = sum;
    return merge_heads(all);
  });
}

// Its weights are repeated for every head, or returned once.
auto one_big_head(bool repeated) {
  return [repeated](auto& stages) {
    stages.split = [](const auto&, auto& t) {
      t.q_heads = {t.q};
      t.k_heads = {t.k};
      t.v_heads = {t.v};
    };
    stages.scale = [](const auto&, auto& t) {
      t.scaled = t.scores;
      t.scaled[0] /= std::sqrt(static_cast<typename std::decay_t<decltype(t.scaled[0])>::Scalar>(t.q.cols()));
    };
    stages.output = [repeated, right = stages.output](const auto& in, auto& t) {
      right(in, t);
      if (repeated) t.weights.resize(static_cast<std::size_t>(in.n_heads), t.weights[0]);
    };
  };
}

// h : h + d_head in place of h * d_head : (h + 1) * d_head.
template <class M>
std::vector<MatrixLike<M>> overlapping_slices(const M& m, Index n_heads) {
  std::vector<MatrixLike<M>> heads;
  for (Index g = 0; g < n_heads; ++g) heads.push_back(m.middleCols(g, m.cols() / n_heads));
  return heads;
}

// A buffer that every head overwrites, or functions made in a loop that look its variable up when they are called.
auto last_head_everywhere(bool weights_too) {
  return [weights_too](auto& stages) {
    stages.merge = [weights_too](const auto&, auto& t) {
      const std::decay_t<decltype(t.heads)> same(t.heads.size(), t.heads.back());
      t.merged = merge_heads(same);
      if (weights_too)
        t.weights.assign(t.weights.size(), MatrixLike<decltype(t.weights[0])>(t.weights.back()));
    };
  };
}

}  // namespace

std::vector<Mutant> layout_mutants() {
  constexpr std::string_view kFirst = "values/first-row", kMap = "heads/influence-map",
                             kTruncated = "causality/truncation-invariance", kBlock = "heads/own-block-only",
                             kRatios = "scores/log-ratios", kMix = "values/mix-of-weights",
                             kLinear = "values/linear-in-w-o";
  return {
      stage_mutant("wo-missing", "layout", "no output projection", {1, 1, 1}, {kFirst, kLinear},
                   [](auto& stages) { stages.output = [](const auto&, auto& t) { t.y = t.merged; }; }),
      stage_mutant("heads-summed", "layout", "heads added instead of concatenated", {1, 2, 2}, {kFirst, kMap},
                   all_heads_summed(false)),
      stage_mutant("heads-averaged", "layout", "heads averaged instead of concatenated", {1, 2, 2},
                   {kFirst, kMap}, all_heads_summed(true)),
      or_as(stage_mutant("split-view", "layout", "splits by reshape(n_heads, T, d_head), without a transpose",
                         {2, 2, 2}, {kTruncated}, split_by(split_view)),
            [](auto& stages) {
              split_by(split_view)(stages);
              merged_by(merge_view)(stages);
            }),
      stage_mutant("merge-view", "layout", "merges by reshape(T, d_model), without a transpose", {2, 2, 2},
                   {kTruncated}, merged_by(merge_view)),
      stage_mutant("split-interleaved", "layout",
                   "head g takes the columns g, g + n_heads, ...; merged likewise", {2, 4, 2}, {kBlock},
                   [](auto& stages) {
                     split_by([](const auto& m, Index n) { return interleaved(m, n); })(stages);
                     merged_by([](const auto& heads) { return merge_interleaved(heads); })(stages);
                   }),
      stage_mutant("merge-interleaved", "layout", "right split, strided merge", {1, 4, 2}, {kFirst, kMap},
                   merged_by([](const auto& heads) { return merge_interleaved(heads); })),
      stage_mutant("concat-reversed", "layout", "heads concatenated in reverse", {1, 2, 2}, {kFirst, kMap},
                   merged_by([](const auto& heads) {
                     std::decay_t<decltype(heads)> reversed(heads.rbegin(), heads.rend());
                     return merge_heads(reversed);
                   })),
      stage_mutant("qk-swapped", "layout", "keys ask, queries answer: softmax(K Q^T)", {2, 2, 1},
                   {"scores/scaled-by-d-head", kRatios}, projected([](const auto& in, auto& t) {
                     t.q = in.x * in.w_k;
                     t.k = in.x * in.w_q;
                     t.v = in.x * in.w_v;
                   })),
      needs_square(stage_mutant("v-uses-wk", "layout", "values projected by w_k", {1, 1, 1}, {kFirst},
                                projected([](const auto& in, auto& t) {
                                  t.q = in.x * in.w_q;
                                  t.k = in.x * in.w_k;
                                  t.v = in.x * in.w_k;
                                }))),
      needs_square(stage_mutant("kv-swapped", "layout", "w_k and w_v exchanged", {1, 1, 1}, {kFirst},
                                projected([](const auto& in, auto& t) {
                                  t.q = in.x * in.w_q;
                                  t.k = in.x * in.w_v;
                                  t.v = in.x * in.w_k;
                                }))),
      needs_square(stage_mutant("a-times-k", "layout", "weights applied to the keys", {1, 1, 1}, {kFirst},
                                [](auto& stages) {
                                  stages.mix = [](const auto&, auto& t) {
                                    t.heads.clear();
                                    for (std::size_t g = 0; g < t.weights.size(); ++g)
                                      t.heads.push_back(t.weights[g] * t.k_heads[g]);
                                  };
                                })),
      needs_square(stage_mutant("v-raw-x", "layout", "values are x, unprojected", {1, 1, 1}, {kFirst},
                                projected([](const auto& in, auto& t) {
                                  t.q = in.x * in.w_q;
                                  t.k = in.x * in.w_k;
                                  t.v = in.x;
                                }))),
      needs_square(stage_mutant("wq-transposed", "layout", "queries projected by the transpose, x @ w_q.T",
                                {2, 2, 1}, {kRatios}, projected([](const auto& in, auto& t) {
                                  t.q = in.x * in.w_q.transpose();
                                  t.k = in.x * in.w_k;
                                  t.v = in.x * in.w_v;
                                }))),
      needs_square(stage_mutant("wk-transposed", "layout", "keys projected by the transpose, x @ w_k.T",
                                {2, 2, 1}, {kRatios}, projected([](const auto& in, auto& t) {
                                  t.q = in.x * in.w_q;
                                  t.k = in.x * in.w_k.transpose();
                                  t.v = in.x * in.w_v;
                                }))),
      needs_square(stage_mutant("wv-transposed", "layout", "values projected by the transpose, x @ w_v.T",
                                {1, 2, 1}, {kFirst}, projected([](const auto& in, auto& t) {
                                  t.q = in.x * in.w_q;
                                  t.k = in.x * in.w_k;
                                  t.v = in.x * in.w_v.transpose();
                                }))),
      needs_square(stage_mutant(
          "wo-transposed", "layout", "the output projected by the transpose, @ w_o.T", {1, 2, 1}, {kFirst},
          [](auto& stages) {
            stages.output = [](const auto& in, auto& t) {
              t.y = in.has_output_projection() ? MatrixLike<decltype(t.y)>(t.merged * in.w_o.transpose())
                                               : t.merged;
            };
          })),
      or_as(stage_mutant("one-big-head", "layout", "n_heads is ignored", {2, 2, 2}, {kBlock},
                         one_big_head(true)),
            one_big_head(false)),
      stage_mutant("weights-averaged", "layout", "weights averaged over the heads, then used", {2, 2, 2},
                   {kBlock},
                   [](auto& stages) {
                     stages.mix = [](const auto&, auto& t) {
                       auto mean = t.weights[0];
                       for (std::size_t g = 1; g < t.weights.size(); ++g) mean += t.weights[g];
                       mean /= static_cast<typename std::decay_t<decltype(mean)>::Scalar>(t.weights.size());
                       t.heads.clear();
                       for (std::size_t g = 0; g < t.weights.size(); ++g) {
                         t.weights[g] = mean;
                         t.heads.push_back(mean * t.v_heads[g]);
                       }
                     };
                   }),
      needs_weights(stage_mutant("weights-returned-averaged", "layout",
                                 "y is right; the returned weights are their average", {2, 2, 2}, {kMix},
                                 [](auto& stages) {
                                   stages.output = [](const auto& in, auto& t) {
                                     right_output(in, t);
                                     auto mean = t.weights[0];
                                     for (std::size_t g = 1; g < t.weights.size(); ++g) mean += t.weights[g];
                                     mean /= static_cast<typename std::decay_t<decltype(mean)>::Scalar>(
                                         t.weights.size());
                                     for (auto& head : t.weights) head = mean;
                                   };
                                 })),
      stage_mutant("weights-transposed", "layout", "A^T v", {2, 1, 1}, {kTruncated, kMix},
                   [](auto& stages) {
                     stages.mix = [](const auto&, auto& t) {
                       t.heads.clear();
                       for (std::size_t g = 0; g < t.weights.size(); ++g)
                         t.heads.push_back(t.weights[g].transpose() * t.v_heads[g]);
                     };
                   }),
      needs_square(stage_mutant("residual-added", "layout", "y + x", {1, 1, 1}, {kFirst, kLinear},
                                [](auto& stages) {
                                  stages.output = [](const auto& in, auto& t) {
                                    right_output(in, t);
                                    t.y += in.x;
                                  };
                                })),
      with_parameter(
          {"position-bias",
           "layout",
           "a bias that grows with the distance of the tokens",
           {2, 1, 1},
           {kRatios}},
          "slope", {0.5, 1, 0.25, 0.125, 0.1, 0.05, 0.01, -0.5, -1, -0.1},
          [](double slope) { return biased_by_distance([slope](double, double) { return slope; }); }),
      stage_mutant("position-bias-alibi", "layout", "a bias by distance with a slope for each head (ALiBi)",
                   {2, 1, 1}, {kRatios},
                   biased_by_distance([](double g, double n) { return std::exp2(-8 * (g + 1) / n); })),
      stage_mutant("kv-head0-only", "layout", "all heads use the keys and values of the first", {1, 2, 2},
                   {kFirst, kMap},
                   [](auto& stages) {
                     stages.split = [](const auto& in, auto& t) {
                       t.q_heads = split_heads(t.q, in.n_heads);
                       t.k_heads = split_heads(t.k, in.n_heads);
                       t.v_heads = split_heads(t.v, in.n_heads);
                       for (auto& head : t.k_heads) head = MatrixLike<decltype(head)>(t.k_heads[0]);
                       for (auto& head : t.v_heads) head = MatrixLike<decltype(head)>(t.v_heads[0]);
                     };
                   }),
      or_as(stage_mutant("last-head-everywhere", "layout",
                         "every head's place in the output holds the last head", {1, 2, 2}, {kFirst, kMap},
                         last_head_everywhere(false)),
            last_head_everywhere(true)),
      stage_mutant("head-slices-overlap", "layout",
                   "head h takes the columns from h on, not from h * d_head on", {1, 4, 2}, {kFirst, kMap},
                   [](auto& stages) {
                     stages.split = [](const auto& in, auto& t) {
                       t.q_heads = overlapping_slices(t.q, in.n_heads);
                       t.k_heads = overlapping_slices(t.k, in.n_heads);
                       t.v_heads = overlapping_slices(t.v, in.n_heads);
                     };
                   }),
      needs_weights(stage_mutant("weights-returned-scores", "layout",
                                 "y is right; the scores are returned as weights", {1, 1, 1},
                                 {"weights/rows-sum-to-one"},
                                 [](auto& stages) {
                                   stages.output = [](const auto& in, auto& t) {
                                     right_output(in, t);
                                     t.weights = t.scaled;
                                   };
                                 })),
      needs_weights(stage_mutant(
          "weights-returned-unnormalised", "layout",
          "y is right; the returned weights were not divided by their sum", {2, 1, 1},
          {"weights/rows-sum-to-one", kMix},
          [](auto& stages) {
            stages.output = [](const auto& in, auto& t) {
              right_output(in, t);
              for (std::size_t g = 0; g < t.weights.size(); ++g) {
                t.weights[g] = t.masked[g];
                for (Index i = 0; i < t.weights[g].rows(); ++i)
                  t.weights[g].row(i) = (t.masked[g].row(i).array() - t.masked[g].row(i).maxCoeff()).exp();
              }
            };
          })),
      stage_mutant("output-normalised", "layout", "a layer norm of y", {1, 1, 1}, {kFirst, kLinear},
                   [](auto& stages) {
                     stages.output = [](const auto& in, auto& t) {
                       right_output(in, t);
                       using S = typename std::decay_t<decltype(t.y)>::Scalar;
                       for (Index i = 0; i < t.y.rows(); ++i) {
                         t.y.row(i).array() -= t.y.row(i).mean();
                         const S variance = t.y.row(i).squaredNorm() / static_cast<S>(t.y.cols());
                         t.y.row(i) /= std::sqrt(variance + static_cast<S>(1e-5));
                       }
                     };
                   }),
      stage_mutant("head-dim-dropped", "layout", "dot products over d_head - 1 features", {2, 1, 1},
                   {kRatios},
                   [](auto& stages) {
                     stages.scores = [](const auto& in, auto& t) {
                       t.scores.clear();
                       const Index d = in.d_k() - 1;
                       for (std::size_t g = 0; g < t.q_heads.size(); ++g) {
                         t.scores.push_back(t.q_heads[g].leftCols(d) * t.k_heads[g].leftCols(d).transpose());
                       }
                     };
                   }),
  };
}

}  // namespace attest
