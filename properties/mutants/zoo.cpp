#include "properties/mutants/zoo.hpp"

#include <algorithm>

namespace attest {
namespace {

template <class S>
AttentionFunction changed_in(std::span<const Change* const> changes,
                             std::function<void(Stages<S>&)> Change::*of,
                             const std::function<void(Stages<S>&)>& last) {
  Stages<S> stages;
  for (const Change* change : changes) {
    if (change->*of) (change->*of)(stages);
  }
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
    for (auto* family :
         {scale_mutants, mask_mutants, softmax_mutants, online_mutants, layout_mutants, state_mutants}) {
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
