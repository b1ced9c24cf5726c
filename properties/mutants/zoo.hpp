// The zoo: real bugs of causal multi-head attention, each a small named delta of the reference's stages (or a wrapper, where
// the bug is in what stays between calls). A row is data; its claims are compared with the measured kill matrix. Tests only.
#pragma once

#include "properties/candidate.hpp"

#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace attest {

struct Mutant {
  std::string_view id;                      // never renamed, never reused
  std::string_view family;                  // scale, mask, softmax, layout, state
  std::string_view what;                    // what it does
  std::array<Index, 3> minimal;             // the smallest T, d_model, n_heads at which it can be seen
  std::vector<std::string_view> caught_by;  // properties that find it, each of them, in every seed
  // A fresh instance, computing in double or in float.
  std::function<AttentionFunction()> float64, float32;
};

const std::vector<Mutant>& zoo();
const Mutant* find_mutant(std::string_view id);

// The families, one file each.
std::vector<Mutant> scale_mutants();
std::vector<Mutant> mask_mutants();
std::vector<Mutant> softmax_mutants();
std::vector<Mutant> layout_mutants();
std::vector<Mutant> state_mutants();

// A mutant made by changing the table of stages. `change` takes Stages<double>& or Stages<float>&.
template <class Change>
Mutant stage_mutant(std::string_view id, std::string_view family, std::string_view what,
                    std::array<Index, 3> minimal, std::vector<std::string_view> caught_by, Change change) {
  return {id,
          family,
          what,
          minimal,
          std::move(caught_by),
          [change] {
            Stages<double> stages;
            change(stages);
            return attention_function(std::move(stages));
          },
          [change] {
            Stages<float> stages;
            change(stages);
            return attention_function(std::move(stages));
          }};
}

// A mutant with a wrapper around right stages: `wrap(in, run)` is called with the inputs and a function that computes them.
// `make()` builds a fresh wrapper with its own state.
template <class Make>
Mutant wrapper_mutant(std::string_view id, std::string_view what, std::array<Index, 3> minimal,
                      std::vector<std::string_view> caught_by, Make make) {
  const auto with = [make](auto scalar) -> std::function<AttentionFunction()> {
    using S = decltype(scalar);
    return [make]() -> AttentionFunction {
      return [wrap = make(), run = attention_function(Stages<S>{})](Inputs<double>& in) mutable {
        return wrap(in, run);
      };
    };
  };
  return {id, "state", what, minimal, std::move(caught_by), with(double{}), with(float{})};
}

}  // namespace attest
