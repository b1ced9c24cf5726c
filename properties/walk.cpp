#include "properties/walk.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace attest {

Walk::Walk(RightValues right, const Reply& reply) : right_(std::move(right)) {
  for (std::size_t i = 0; i < reply.snapshots.size(); ++i) {
    const Snapshot& one = reply.snapshots[i];
    if (is_constant(one.value)) continue;
    CodePlace place{one.name, one.function, one.line, one.event == Snapshot::Event::argument};
    const bool is_returned = one.event == Snapshot::Event::returned;
    if (is_returned) {  // the name that it has or gets, if there is one
      for (const Named& result : reply.results) {
        const bool is_a_name =
            std::any_of(reply.snapshots.begin(), reply.snapshots.end(), [&](const Snapshot& other) {
              return other.event != Snapshot::Event::returned && other.name == result.name;
            });
        if (is_a_name && is_alike(result.tensor, one.value)) place.name = result.name;
      }
      for (std::size_t next = i + 1; next < std::min(i + 4, reply.snapshots.size()); ++next) {
        const Snapshot& other = reply.snapshots[next];
        if (other.event != Snapshot::Event::assigned || !is_alike(other.value, one.value)) continue;
        place.name = other.name;
        break;
      }
    }
    // What is filled in afterwards may hold anything before.
    const auto next = std::find_if(
        reply.snapshots.begin() + static_cast<std::ptrdiff_t>(i) + 1, reply.snapshots.end(),
        [&](const Snapshot& other) { return other.name == one.name && other.function == one.function; });
    const bool is_unfinished =
        !is_returned && next != reply.snapshots.end() && next->event == Snapshot::Event::changed;
    const std::size_t before = items_.size();
    const auto rows = std::pair(other_row_, exponential_row_);
    add({std::move(place), one.value, is_returned, false});
    if (is_unfinished && items_.size() > before && !items_.back().is_right()) {
      items_.pop_back();
      std::tie(other_row_, exponential_row_) = rows;
    }
  }
  for (const Named& result : reply.results) add({{result.name, "", 0, false}, result.tensor, false, true});
}

void Walk::add(Item item) {
  const Tensor& value = item.value;
  if (value.dims.size() == 3 && value.dims[0] == 2 && value.dims[1] == right_.T && right_.h > 1 &&
      (value.dims[2] == right_.h * right_.in.d_v() ||
       value.dims[2] == right_.in.d_model())) {  // two sequences
    item.value = item.value.first();
  }
  if (value.values.empty() || value.dims.empty() || value.dims.size() > 4) return;
  look_at_scores(item);
  if (!item.is_scores) {
    const Trace<double>& t = right_.trace;
    double factor = 1;
    item.q = part_of(value, t.q_heads, right_.tolerance, &factor);
    item.k = part_of(value, t.k_heads, right_.tolerance, &factor);
    item.v = part_of(value, t.v_heads, right_.tolerance);
    item.heads = part_of(value, t.heads, right_.tolerance);
    if (right_.in.d_model() == right_.h * right_.in.d_v())
      item.x = part_of(value, split_heads<double>(right_.in.x, right_.h), right_.tolerance);
    item.is_y = part_of(value, {t.y}, right_.tolerance) == Part::all;
    const bool is_shaped =
        has_shape_of(value, t.q_heads) || has_shape_of(value, t.v_heads) || has_shape_of(value, {t.y});
    item.is_unknown = is_shaped && !item.is_right() && item.x == Part::none;
    look_at_rows(item);
  }
  items_.push_back(std::move(item));
}

void Walk::look_at_scores(Item& item) const {
  std::vector<Tensor> views = as_scores(item.value, right_);
  const std::size_t n_upright = views.size();
  if (!item.is_result) {  // keys down and queries across
    for (std::size_t i = 0; i < n_upright; ++i) {
      if (views[i].dims[1] == views[i].dims[2])
        views.push_back(Tensor::from(transposed_heads(views[i].heads())));
    }
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    Tensor& view = views[i];
    item.is_scores = true;
    const bool exponentials =
        std::none_of(view.values.begin(), view.values.end(), [](double v) { return v < 0; });
    const bool is_weights = exponentials && is_right_weights(view, right_, item.is_result);
    auto fit = fit_scores(view, right_.trace.scores, right_, exponentials);
    if (i > 0 && !is_weights && !fit) continue;
    item.is_exponentials = exponentials;
    item.is_weights = is_weights;
    item.is_turned = i >= n_upright;
    item.fit = fit;
    item.view = std::move(view);
    if (is_weights || fit) return;
  }
}

void Walk::look_at_rows(const Item& item) {
  if (item.value.dims.size() > 2 || item.is_right() || item.is_unknown) return;
  const auto factor = fit_row(item.value, right_, false);
  if (factor)
    row_factor_ = row_factor_ && std::fabs(*row_factor_ / right_.scale - 1) < 1e-6 ? row_factor_ : factor;
  const auto exponential = factor ? std::nullopt : fit_row(item.value, right_, true);
  if (exponential && !exponential_row_ && std::fabs(*exponential / right_.scale - 1) > 1e-6)
    exponential_row_ = items_.size();
  const bool is_row = item.value.dims.size() == 1 && item.value.dims[0] >= 3 &&
                      item.value.dims[0] <= right_.T && item.value.dims[0] != right_.in.d_k() &&
                      item.value.dims[0] != right_.in.d_v();
  if (factor || !is_row || other_row_) return;
  const bool is_own = std::all_of(item.value.values.begin(), item.value.values.end(),
                                  [](double v) { return std::isfinite(v) && v != 0; });
  if (is_own && !exponential) other_row_ = items_.size();
}

std::vector<Walk::Pass> Walk::passes() const {
  std::vector<Pass> all;
  for (const Item& item : items_) {
    if (!item.is_scores) continue;
    if (all.empty() || (!item.is_exponentials && !all.back().exponentials.empty())) all.emplace_back();
    (item.is_exponentials ? all.back().exponentials : all.back().scores).push_back(&item);
  }
  return all;
}

Part Walk::seen(Part Item::*field) const {
  Part most = Part::none;
  for (const Item& item : items_) most = std::max(most, item.*field);
  return most;
}

// 'q', 'k' or 'v' where a name says so: query, keys, V_h. 0 where it does not.
char Walk::letter_of(const Item& item) {
  const std::string& name = item.place.name;
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  for (const char* word : {"query", "queries", "key", "keys", "value", "values", "val", "vals"}) {
    if (plain == word) return word[0];
  }
  const bool is_short = plain.size() == 1 || (plain.size() == 2 && (plain[1] == 's' || plain[1] == 'h'));
  return is_short && (plain[0] == 'q' || plain[0] == 'k' || plain[0] == 'v') ? plain[0] : 0;
}

bool Walk::letter_is_value(const Item& item) { return letter_of(item) == 'v'; }

bool Walk::has_own_factor(const ScoresFit& fit) const {
  return std::fabs(fit.factor / right_.scale - 1) < (fit.is_close ? 1e-2 : 100 * right_.tolerance);
}

bool Walk::is_normalised(const Item& item) const {
  for (Index g = 0; g < item.view.dims[0]; ++g) {
    for (Index i = 0; i < right_.T; ++i) {
      if (!(std::fabs(item.view.slice(g).row(i).sum() - 1) < 1e-3)) return false;
    }
  }
  return true;
}

bool Walk::is_on_the_way(const Item& item) const {
  return item.fit && !item.fit->is_close && has_own_factor(*item.fit) && !item.fit->visible_masked;
}

bool Walk::is_side_by_side(const Item& item) const {
  const auto& dims = item.value.dims;
  return dims.size() >= 2 && dims.back() == right_.h * right_.in.d_v() && right_.h > 1;
}

const Walk::Item* Walk::result(const char* name) const {
  for (const Item& item : items_) {
    if (item.is_result && item.place.name == name) return &item;
  }
  return nullptr;
}

std::optional<StageName> Walk::stage_of(const Item& item) const {
  if (item.is_y) return StageName::output;
  if (item.heads != Part::none) return is_side_by_side(item) ? StageName::merge : StageName::mix;
  if (item.is_weights) return StageName::softmax;
  if (item.is_scores) {
    if (!item.fit || item.fit->is_close || item.is_exponentials) return std::nullopt;
    if (has_own_factor(*item.fit)) {
      if (item.fit->is_masked()) return StageName::mask;
      if (item.fit->is_open()) return StageName::scale;
      return std::nullopt;
    }
    const bool is_plain = std::fabs(item.fit->factor - 1) < right_.tolerance;
    return is_plain && !item.fit->visible_masked ? std::optional(StageName::scores) : std::nullopt;
  }
  if (item.q == Part::none && item.k == Part::none && item.v == Part::none) return std::nullopt;
  return item.value.dims.size() == 2 && is_side_by_side(item) ? StageName::project : StageName::split;
}

Location Walk::at(StageName stage, const Item* wrong, bool is_missing) const {
  Location location;
  location.stage = stage;
  location.is_missing = is_missing;
  const auto seen_as = std::find_if(items_.begin(), items_.end(), [&](const Item& item) {
    return &item == wrong || (wrong->is_result && item.place.line > 0 && is_alike(item.value, wrong->value));
  });
  for (auto item = items_.begin(); item != seen_as && !item->is_result; ++item) {
    const auto own = stage_of(*item);
    if (!own || *own >= stage || item->place.line == 0) continue;
    // Keys that are called q are right for nobody who reads on.
    const char letter = letter_of(*item);
    const bool is_other =
        (letter == 'q' && item->q == Part::none) || (letter == 'k' && item->k == Part::none);
    if (is_other && (*own == StageName::project || *own == StageName::split)) continue;
    location.right = item->place;
    location.right_stage = *own;
  }
  if (seen_as->place.line == 0) return location;
  location.wrong = seen_as->place;
  // A function that does well elsewhere: what counts is what it was given here.
  const bool does_well =
      seen_as->is_returned && std::any_of(items_.begin(), items_.end(), [&](const Item& other) {
        return other.is_returned && stage_of(other) && other.place.function == seen_as->place.function;
      });
  const auto next = std::find_if(seen_as + 1, items_.end(), [&](const Item& other) {
    return !other.is_returned && other.place.line > 0 && is_alike(other.value, seen_as->value);
  });
  if (does_well && next != items_.end()) location.wrong = next->place;
  return location;
}

std::optional<Location> Walk::location() const {
  if (items_.empty() || items_.front().is_result) return std::nullopt;  // nothing was seen on the way
  const std::vector<Pass> all = passes();
  const Item* weights = result("weights");
  if (weights != nullptr && weights->is_weights) return behind_the_weights(true);
  bool are_known = false;
  for (const Pass& pass : all) {
    const bool is_last = &pass == &all.back();
    if (pass.exponentials.empty() && !is_last) continue;
    if (!pass.exponentials.empty() && pass.exponentials.back()->is_weights) {
      are_known = true;
      continue;
    }
    // Exponentials that are divided later, with what they are mixed to.
    if (weights == nullptr && !pass.exponentials.empty() && is_on_the_way(*pass.exponentials.back()))
      continue;
    return before_the_weights(pass);
  }
  return behind_the_weights(are_known);
}

}  // namespace attest
