// The zoo: real bugs of causal multi-head attention, each a small named delta of the reference's stages (or a wrapper, where
// the bug is in what stays between calls). A row is data; its claims are compared with the measured kill matrix. What is wrong
// with a submission is found by looking for the row that behaves like it (diagnose.hpp).
#pragma once

#include "properties/candidate.hpp"

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

// What a bug changes: stages, in either precision, or what is done around a run of them. `around()` makes a fresh wrapper with its own
// state, called with the inputs and a function that computes them.
struct Change {
  using Around = std::function<Answer<double>(Inputs<double>&, const AttentionFunction& run)>;
  std::function<void(Stages<double>&)> in_double;
  std::function<void(Stages<float>&)> in_float;
  std::function<Around()> around;
  bool keeps_state = false;  // answers depend on earlier calls
};

// What is measured of an implementation by asking it (measure.hpp): NaN where there is no such number.
struct Measured {
  double hidden_score;  // what a hidden score of 0 becomes: -1e9
  double scale;         // what a score is multiplied with, at d_head = kMeasuredHead
};
inline constexpr Index kMeasuredHead = 4;  // its root is 2: scaling rounds nothing

struct Mutant {
  std::string_view id;                      // never renamed, never reused
  std::string_view family;                  // scale, mask, softmax, layout, state
  std::string_view what;                    // what it does
  std::array<Index, 3> minimal;             // the smallest T, d_model, n_heads at which it can be seen
  std::vector<std::string_view> caught_by;  // properties that find it, each of them, in every seed
  Change change = {};
  bool needs_square =
      false;  // w_q, w_k, w_v must be (d_model, d_model): with other shapes it could not be computed
  bool is_random = false;  // no two answers are alike: recognised by what is left of them
  // The same bug with other numbers (the window's length, the sentinel's size), or written in another way that makes a difference.
  std::string_view parameter = {};
  double value = 0;  // of the parameter in `change`
  std::vector<std::pair<double, Change>> others = {};
  // Of a number that may be any: what it must be, by measurement (NaN: not this bug), and the change with it.
  std::function<double(const Measured&)> fit = {};
  std::function<Change(double)> fitted = {};
  bool needs_weights = false;   // speaks of the weights that are returned: no name for who returns y alone
  bool only_warned_of = false;  // right on all numbers that are finite: a warning, never a name

  // Makes fresh instances.
  std::function<AttentionFunction()> fresh(Dtype dtype = Dtype::float64) const;
};

// For somebody who has it: a question that leads there, and what to write instead.
struct BugAdvice {
  std::string_view ask, fix;
};
const BugAdvice& advice_about(const Mutant& mutant);

const std::vector<Mutant>& zoo();
const Mutant* find_mutant(std::string_view id);

// The reference with all of these changes, in this order; a fresh instance. `around_each_stage` may wrap the table of stages once more.
AttentionFunction changed(std::span<const Change* const> changes, Dtype dtype,
                          const std::function<void(Stages<double>&)>& last_in_double = {},
                          const std::function<void(Stages<float>&)>& last_in_float = {});

// The families, one file each.
std::vector<Mutant> scale_mutants();
std::vector<Mutant> mask_mutants();
std::vector<Mutant> softmax_mutants();
std::vector<Mutant> online_mutants();
std::vector<Mutant> layout_mutants();
std::vector<Mutant> projection_mutants();
std::vector<Mutant> state_mutants();

// A mutant made by changing the table of stages. `change` takes Stages<double>& or Stages<float>&.
template <class OfStages>
Change stage_change(OfStages change) {
  return {change, change, nullptr, false};
}
template <class OfStages>
Mutant stage_mutant(std::string_view id, std::string_view family, std::string_view what,
                    std::array<Index, 3> minimal, std::vector<std::string_view> caught_by, OfStages change) {
  return {id, family, what, minimal, std::move(caught_by), stage_change(std::move(change))};
}

// The same for every number: `change(value)` is the change of the stages; the first value is the row's own.
template <class OfValue>
Mutant with_parameter(Mutant mutant, std::string_view name, const std::vector<double>& values,
                      OfValue change) {
  mutant.parameter = name;
  mutant.value = values.front();
  mutant.change = stage_change(change(values.front()));
  for (std::size_t i = 1; i < values.size(); ++i)
    mutant.others.emplace_back(values[i], stage_change(change(values[i])));
  return mutant;
}

// The same for any number, found by measurement.
template <class OfValue>
Mutant with_measured(Mutant mutant, std::string_view name, double value, OfValue change,
                     std::function<double(const Measured&)> fit) {
  mutant = with_parameter(std::move(mutant), name, {value}, change);
  mutant.fit = std::move(fit);
  mutant.fitted = [change](double other) { return stage_change(change(other)); };
  return mutant;
}

template <class OfStages>
Mutant or_as(Mutant mutant, OfStages change) {
  mutant.others.emplace_back(mutant.value, stage_change(std::move(change)));
  return mutant;
}

inline Mutant needs_weights(Mutant mutant) {
  mutant.needs_weights = true;
  return mutant;
}

inline Mutant needs_square(Mutant mutant) {
  mutant.needs_square = true;
  return mutant;
}

// A mutant with a wrapper around right stages: `wrap(in, run)` is called with the inputs and a function that computes them.
// `make()` builds a fresh wrapper with its own state.
template <class Make>
Mutant wrapper_mutant(std::string_view id, std::string_view what, std::array<Index, 3> minimal,
                      std::vector<std::string_view> caught_by, Make make) {
  return {id, "state", what, minimal, std::move(caught_by), {nullptr, nullptr, make, true}};
}

}  // namespace attest
