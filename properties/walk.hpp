// Goes through the snapshots of one wrong call, from the first to the last, and finds the first stage that went wrong in them.
#pragma once

#include "properties/localise.hpp"
#include "properties/snapshot_fit.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

class Walk {
 public:
  Walk(RightValues right, const Reply& reply);
  std::optional<Location> location() const;

 private:
  // A value with what is known of it.
  struct Item {
    CodePlace place;
    Tensor value;
    bool is_returned = false;  // by a function of the file
    bool is_result = false;    // of the whole call
    // A matrix of (T, T), or several.
    bool is_scores = false, is_exponentials = false, is_weights = false;
    bool is_turned = false;  // keys are its rows
    Tensor view = {};
    std::optional<ScoresFit> fit = {};
    // Queries, keys, values, tokens, heads' outputs, side by side or not.
    Part q = Part::none, k = Part::none, v = Part::none, x = Part::none, heads = Part::none;
    bool is_y = false;
    bool is_unknown = false;  // of the shape of one of them, and none
    bool is_right() const {
      return q != Part::none || k != Part::none || v != Part::none || heads != Part::none || is_y ||
             is_weights || (fit && !fit->is_close);
    }
  };
  using Items = std::vector<const Item*>;
  // One pass from scores to weights; a loop over the heads makes one for each.
  struct Pass {
    Items scores, exponentials;
  };

  void add(Item item);
  void look_at_scores(Item& item) const;
  void look_at_rows(const Item& item);
  std::vector<Pass> passes() const;

  // Weights that are wrong: what came before them.
  std::optional<Location> before_the_weights(const Pass& pass) const;
  std::optional<Location> of_fitting_scores(const Pass& pass) const;
  std::optional<Location> of_fitting_exponentials(const Pass& pass) const;
  std::optional<Location> of_softmax(const Pass& pass) const;
  std::optional<Location> of_other_scores(const Pass& pass) const;
  std::optional<Location> of_other_products(const Pass& pass) const;
  std::optional<Location> of_projection(bool q, bool k, bool v, const Item* before) const;
  // Weights that are right, or were never seen: what came behind them.
  std::optional<Location> behind_the_weights(bool are_known) const;
  std::optional<Location> of_other_mix() const;
  std::optional<Location> of_heads(const Item& first, bool may_be_mix) const;
  std::optional<Location> of_result() const;

  Part seen(Part Item::*field) const;
  static char letter_of(const Item& item);
  static bool letter_is_value(const Item& item);  // its name says that it is the values
  bool has_own_factor(const ScoresFit& fit) const;
  bool is_normalised(const Item& item) const;  // over all of each row
  bool is_on_the_way(const Item& item) const;  // exponentials of the right scores
  bool is_side_by_side(const Item& item) const;
  const Item* result(const char* name) const;
  Heads mixed(const Heads& values, bool transposed = false) const;
  std::optional<StageName> stage_of(const Item& item) const;
  Location at(StageName stage, const Item* wrong, bool is_missing = false) const;

  RightValues right_;
  std::vector<Item> items_;
  std::optional<double> row_factor_;            // of rows of scores by themselves
  std::optional<std::size_t> other_row_;        // a row that is none ...
  std::optional<std::size_t> exponential_row_;  // ... or one of exponentials, of other scores
};

}  // namespace attest
