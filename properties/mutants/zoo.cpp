#include "properties/mutants/zoo.hpp"

#include <algorithm>

namespace attest {

const std::vector<Mutant>& zoo() {
  static const std::vector<Mutant> all = [] {
    std::vector<Mutant> mutants;
    for (auto* family : {scale_mutants, mask_mutants, softmax_mutants, layout_mutants, state_mutants}) {
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
