// What stays between calls, and what is done to the caller's arrays.
#include "properties/mutants/zoo.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>

namespace attest {

namespace {

Mutant random_mutant(Mutant mutant) {
  mutant.is_random = true;
  mutant.parameter = "probability";
  return mutant;
}

Mutant keeps_state(Mutant mutant) {
  mutant.change.keeps_state = true;
  return mutant;
}

// The last call's keys and values stand before this one's, if they have as many heads and features.
template <class Table>
struct ScalarOfTable;
template <class S>
struct ScalarOfTable<Stages<S>> {
  using type = S;
};

constexpr auto kv_leak = [](auto& stages) {
  using Heads = MatrixOf<typename ScalarOfTable<std::decay_t<decltype(stages)>>::type>;
  const auto last_k = std::make_shared<std::vector<Heads>>(), last_v = std::make_shared<std::vector<Heads>>();
  stages.split = [last_k, last_v, right = stages.split](const auto& in, auto& t) {
    right(in, t);
    const std::vector<Heads> k = t.k_heads, v = t.v_heads;
    const bool fits = last_k->size() == k.size() && (*last_k)[0].cols() == k[0].cols();
    for (std::size_t g = 0; fits && g < k.size(); ++g) {
      const auto behind = [](const Heads& first, const Heads& second) {
        Heads both(first.rows() + second.rows(), first.cols());
        both << first, second;
        return both;
      };
      t.k_heads[g] = behind((*last_k)[g], k[g]);
      t.v_heads[g] = behind((*last_v)[g], v[g]);
    }
    *last_k = k;
    *last_v = v;
  };
  stages.mask = [](const auto& in, auto& t) {
    t.masked = t.scaled;  // (T, earlier + T)
    for (auto& head : t.masked)
      head.rightCols(in.tokens()) += causal_mask<typename Heads::Scalar>(in.tokens());
  };
  stages.output = [right = stages.output](const auto& in, auto& t) {
    right(in, t);
    for (auto& head : t.weights) head = Heads(head.rightCols(in.tokens()));
  };
};

}  // namespace

std::vector<Mutant> state_mutants() {
  using In = Inputs<double>;
  using Run = const AttentionFunction;
  constexpr std::string_view kPure = "state/pure", kTwice = "state/deterministic", kHistory = "state/history",
                             kShape = "output/shape";
  return {
      wrapper_mutant("inplace-w", "changes a weight matrix in place", {1, 1, 1}, {kPure},
                     [] {
                       return [](In& in, Run& run) {
                         In copy = in;
                         in.w_q /= std::sqrt(static_cast<double>(in.d_k()) + 1);
                         return run(copy);
                       };
                     }),
      wrapper_mutant("inplace-x", "changes x in place", {1, 1, 1}, {kPure},
                     [] {
                       return [](In& in, Run& run) {
                         In copy = in;
                         Answer<double> answer = run(copy);
                         in.x = answer.y;
                         return answer;
                       };
                     }),
      keeps_state(stage_mutant("kv-leak", "state", "keys and values of the last call stay visible", {1, 1, 1},
                               {kTwice, kHistory}, kv_leak)),
      random_mutant(wrapper_mutant(
          "dropout-active", "numbers are zeroed at random, the others made larger", {2, 1, 1}, {kTwice},
          [] {
            return [state = std::uint64_t{1}](In& in, Run& run) mutable {
              Answer<double> answer = run(in);
              for (Index k = 0; k < answer.y.size(); ++k) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth's MMIX generator
                answer.y.data()[k] *= (state >> 61) == 0 ? 0 : 8.0 / 7;
              }
              return answer;
            };
          })),
      wrapper_mutant("mask-cache-stale", "the mask of the first call is kept", {3, 1, 1}, {kHistory},
                     [] {
                       return [known = Index{0}](In& in, Run&) mutable {
                         if (known == 0) known = in.tokens();
                         Stages<double> stages;
                         stages.mask = [known](const Inputs<double>&, Trace<double>& t) {
                           t.masked = t.scaled;
                           for (Matrix& head : t.masked) {
                             const Index n = std::min(known, head.rows());
                             head.topLeftCorner(n, n) += causal_mask<double>(n);
                           }
                         };
                         return stages.run(in).answer();
                       };
                     }),
      wrapper_mutant(
          "weights-cache-stale",
          "weight matrices of the first call with these sizes are used in all that follow", {1, 1, 1},
          {kHistory},
          [] {
            using Sizes = std::array<Index, 4>;
            return [known = std::make_shared<std::map<Sizes, Inputs<double>>>()](In& in, Run& run) {
              In kept = in;
              const In& first =
                  known->try_emplace({in.w_q.rows(), in.w_q.cols(), in.w_v.cols(), in.w_o.cols()}, in)
                      .first->second;
              kept.w_q = first.w_q;
              kept.w_k = first.w_k;
              kept.w_v = first.w_v;
              return run(kept);
            };
          }),
      wrapper_mutant("memo-by-shape", "the answer to the first call of a shape is given to all of that shape",
                     {1, 1, 1}, {kHistory},
                     [] {
                       using Shape = std::array<Index, 3>;
                       return
                           [known = std::make_shared<std::map<Shape, Answer<double>>>()](In& in, Run& run) {
                             const Shape shape = {in.tokens(), in.d_model(), in.n_heads};
                             if (!known->contains(shape)) (*known)[shape] = run(in);
                             return (*known)[shape];
                           };
                     }),
      wrapper_mutant("uninitialised-accumulator", "adds up on memory that holds the last answer of this size",
                     {1, 1, 1}, {kTwice, kHistory},
                     [] {
                       return [last = std::make_shared<std::map<Index, Matrix>>()](In& in, Run& run) {
                         Answer<double> answer = run(in);
                         const auto old = last->find(answer.y.size());
                         if (old != last->end() && old->second.cols() == answer.y.cols())
                           answer.y += old->second;
                         (*last)[answer.y.size()] = answer.y;
                         return answer;
                       };
                     }),
      wrapper_mutant("t1-squeeze", "T = 1 loses an axis", {1, 2, 1}, {kShape},
                     [] {
                       return [](In& in, Run& run) {
                         Answer<double> answer = run(in);
                         if (in.tokens() == 1) answer.y = Matrix(answer.y.transpose());
                         return answer;
                       };
                     }),
  };
}

}  // namespace attest
