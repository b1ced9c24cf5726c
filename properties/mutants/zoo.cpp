#include "properties/mutants/zoo.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {
namespace {

// Changes that were written for right neighbours may leave what the next one cannot use: tables of other sizes, fewer heads.
template <class S>
void check_fit(const Inputs<S>& in, const Trace<S>& t) {
  const auto fits = [](bool fit) {
    if (!fit) throw std::invalid_argument("these two changes do not fit together");
  };
  const std::size_t n = t.v_heads.size();
  fits(t.q_heads.size() == n && t.k_heads.size() == n);
  for (std::size_t g = 0; g < n; ++g) {
    fits(t.q_heads[g].cols() == t.k_heads[g].cols() && t.k_heads[g].rows() == t.v_heads[g].rows() &&
         t.q_heads[g].rows() == in.tokens());
    for (const HeadsOf<S>* table : {&t.scores, &t.scaled, &t.masked, &t.weights}) {
      fits(table->empty() || (table->size() == n && (*table)[g].rows() == in.tokens() &&
                              (*table)[g].cols() == t.k_heads[g].rows()));
    }
    fits(t.heads.empty() ||
         (t.heads.size() == n && t.heads[g].rows() == in.tokens() && t.heads[g].cols() == t.heads[0].cols()));
  }
  fits(t.merged.size() == 0 || !in.has_output_projection() || t.merged.cols() == in.w_o.rows());
}

template <class S>
void check_between(Stages<S>& stages) {
  for (auto* stage : {&stages.scores, &stages.scale, &stages.mask, &stages.softmax, &stages.mix,
                      &stages.merge, &stages.output}) {
    *stage = [run = std::move(*stage)](const Inputs<S>& in, Trace<S>& t) {
      check_fit(in, t);
      run(in, t);
    };
  }
}

template <class S>
AttentionFunction changed_in(std::span<const Change* const> changes,
                             std::function<void(Stages<S>&)> Change::*of,
                             const std::function<void(Stages<S>&)>& last) {
  Stages<S> stages;
  for (const Change* change : changes) {
    if (change->*of) (change->*of)(stages);
  }
  if (changes.size() > 1) check_between(stages);
  if (last) last(stages);
  AttentionFunction function = attention_function(std::move(stages));
  for (const Change* change : changes) {
    if (!change->around) continue;
    function = [around = change->around(), run = std::move(function)](Inputs<double>& in) {
      return around(in, run);
    };
  }
  return function;
}

}  // namespace

AttentionFunction changed(std::span<const Change* const> changes, Dtype dtype,
                          const std::function<void(Stages<double>&)>& last_in_double,
                          const std::function<void(Stages<float>&)>& last_in_float) {
  return dtype == Dtype::float64 ? changed_in<double>(changes, &Change::in_double, last_in_double)
                                 : changed_in<float>(changes, &Change::in_float, last_in_float);
}

std::function<AttentionFunction()> Mutant::fresh(Dtype dtype) const {
  return [change = change, dtype] {
    const Change* const only[] = {&change};
    return changed(only, dtype);
  };
}

const std::vector<Mutant>& zoo() {
  static const std::vector<Mutant> all = [] {
    std::vector<Mutant> mutants;
    for (auto* family : {scale_mutants, mask_mutants, softmax_mutants, online_mutants, layout_mutants,
                         projection_mutants, state_mutants}) {
      for (Mutant& m : family()) mutants.push_back(std::move(m));
    }
    return mutants;
  }();
  return all;
}

const Mutant* find_mutant(std::string_view id) {
  const auto it = std::find_if(zoo().begin(), zoo().end(), [&](const Mutant& m) { return m.id == id; });
  return it == zoo().end() ? nullptr : &*it;
}

}  // namespace attest
