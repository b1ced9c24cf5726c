// Queries, keys and values that are more, or less, than x times a matrix.
#include "properties/mutants/zoo.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

template <class M>
using Entry = typename std::decay_t<M>::Scalar;

// Every head's query and key divided by its length, as `length(row)` measures it.
template <class Length>
auto normed(Length length) {
  return [length](auto& stages) {
    stages.split = [length, right = stages.split](const auto& in, auto& t) {
      right(in, t);
      for (auto* heads : {&t.q_heads, &t.k_heads}) {
        for (auto& head : *heads) {
          for (Index i = 0; i < head.rows(); ++i) head.row(i) /= length(head.row(i));
        }
      }
    };
  };
}

Mutant qk_norm() {
  const auto root_mean_square = [](double eps) {
    return normed([eps](const auto& row) {
      return std::sqrt(row.squaredNorm() / static_cast<Entry<decltype(row)>>(row.size()) +
                       static_cast<Entry<decltype(row)>>(eps));
    });
  };
  Mutant mutant = with_parameter(
      {"qk-norm", "layout", "queries and keys are normalised", {2, 1, 1}, {"scores/log-ratios"}}, "eps",
      {1e-6, 1e-5, 1e-8, 0}, root_mean_square);
  for (const double eps : {1e-12, 0.0, 1e-8, 1e-6}) {
    mutant.others.emplace_back(eps, stage_change(normed([eps](const auto& row) {
                                 return std::max(row.norm(), static_cast<Entry<decltype(row)>>(eps));
                               })));
    if (eps > 0)
      mutant.others.emplace_back(eps, stage_change(normed([eps](const auto& row) {
                                   return row.norm() + static_cast<Entry<decltype(row)>>(eps);
                                 })));
  }
  return mutant;
}

}  // namespace

std::vector<Mutant> projection_mutants() {
  constexpr std::string_view kFirst = "values/first-row", kMap = "heads/influence-map",
                             kLinear = "values/linear-in-w-o";
  return {
      needs_square(stage_mutant(
          "qkv-fused-per-head", "layout",
          "x @ [w_q w_k w_v] is cut by heads before it is cut into q, k and v", {1, 2, 2}, {kFirst, kMap},
          [](auto& stages) {
            stages.split = [](const auto& in, auto& t) {
              auto joint = merge_heads<Entry<decltype(t.q)>>({t.q, t.k, t.v});
              const auto parts = split_heads(joint, 3 * in.n_heads);  // q, k, v of head 0, ...
              t.q_heads.clear(), t.k_heads.clear(), t.v_heads.clear();
              for (std::size_t g = 0; g < parts.size(); g += 3) {
                t.q_heads.push_back(parts[g]);
                t.k_heads.push_back(parts[g + 1]);
                t.v_heads.push_back(parts[g + 2]);
              }
            };
          })),
      needs_square(stage_mutant("split-before-projection", "layout",
                                "x is cut into heads first: a head sees only its own features", {1, 2, 2},
                                {kFirst, kMap},
                                [](auto& stages) {
                                  stages.project = [](const auto& in, auto& t) {
                                    const auto own = [&in](const auto& w) {
                                      auto result = MatrixOf<Entry<decltype(w)>>(in.x * w);
                                      const Index d = w.cols() / in.n_heads;
                                      for (Index c = 0; c < w.cols(); c += d)
                                        result.middleCols(c, d) = in.x.middleCols(c, d) * w.block(c, c, d, d);
                                      return result;
                                    };
                                    t.q = own(in.w_q);
                                    t.k = own(in.w_k);
                                    t.v = own(in.w_v);
                                  };
                                })),
      stage_mutant("qkv-relu", "layout", "a ReLU on queries, keys and values", {1, 1, 1}, {kFirst},
                   [](auto& stages) {
                     stages.project = [right = stages.project](const auto& in, auto& t) {
                       right(in, t);
                       for (auto* m : {&t.q, &t.k, &t.v}) *m = m->cwiseMax(0).eval();
                     };
                   }),
      stage_mutant("output-relu", "layout", "a ReLU on y", {1, 1, 1}, {kFirst, kLinear},
                   [](auto& stages) {
                     stages.output = [right = stages.output](const auto& in, auto& t) {
                       right(in, t);
                       t.y = t.y.cwiseMax(0).eval();
                     };
                   }),
      qk_norm(),
  };
}

}  // namespace attest
