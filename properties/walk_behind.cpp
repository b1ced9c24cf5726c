// What is done with weights that are right, or that were never seen.
#include "properties/walk.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

Heads only_sum(const Heads& heads) {
  Matrix sum = heads[0];
  for (std::size_t g = 1; g < heads.size(); ++g) sum += heads[g];
  return {sum};
}

// Heads put into a matrix in ways that are not side by side.
std::vector<Matrix> other_merges(const Heads& heads) {
  const auto n = static_cast<Index>(heads.size());
  const Index T = heads[0].rows(), d = heads[0].cols();
  std::vector<double> flat;
  Matrix interleaved(T, n * d);
  for (Index g = 0; g < n; ++g) {
    const Matrix& head = heads[static_cast<std::size_t>(g)];
    flat.insert(flat.end(), head.data(), head.data() + head.size());
    for (Index c = 0; c < d; ++c) interleaved.col(c * n + g) = head.col(c);
  }
  return {Eigen::Map<const Matrix>(flat.data(), T, n * d), interleaved,
          merge_heads<double>(Heads(heads.rbegin(), heads.rend()))};
}

}  // namespace

Heads Walk::mixed(const Heads& values, bool transposed) const {
  Heads heads;
  for (std::size_t g = 0; g < values.size(); ++g) {
    const Matrix& weights = right_.trace.weights[g];
    heads.emplace_back(transposed ? Matrix(weights.transpose() * values[g]) : Matrix(weights * values[g]));
  }
  return heads;
}

std::optional<Location> Walk::behind_the_weights(bool are_known) const {
  if (!are_known) {
    if (const auto found = of_projection(true, true, true, nullptr);
        found && found->stage == StageName::split)
      return found;
    if (seen(&Item::q) == Part::none || seen(&Item::k) == Part::none || seen(&Item::v) == Part::none)
      return of_projection(true, true, true, nullptr);
    if (row_factor_ && std::fabs(*row_factor_ / right_.scale - 1) > 1e-6) return std::nullopt;
  }
  const bool may_be_mix =
      are_known || row_factor_;  // otherwise scores, or what was made of them, may be wrong too
  if (const auto found = of_other_mix()) return found;
  if (seen(&Item::v) == Part::none) {
    const auto all = passes();
    const Item* first =
        all.empty() || all.front().exponentials.empty() ? nullptr : all.front().exponentials.front();
    const auto found = of_projection(false, false, true, first);
    if (found || first == nullptr) return found;
    for (const Item& item : items_) {
      if (item.is_unknown && letter_is_value(item)) return at(StageName::project, &item);
    }
  } else {  // seen as a whole, and split otherwise
    for (const Item& item : items_) {
      if (item.is_unknown && !item.is_result &&
          is_rearranged(item.value, right_.trace.v_heads, right_.tolerance))
        return right_.h > 1 ? std::optional(at(StageName::split, &item)) : std::nullopt;
    }
  }
  const Item* y = result("y");
  for (const Item& item : items_) {
    if (!item.is_unknown) continue;
    if (item.is_result || (y != nullptr && item.value.values == y->value.values)) return of_result();
    return of_heads(item, may_be_mix);
  }
  return of_result();
}

// The weights applied to something else than the values, or the other way round.
std::optional<Location> Walk::of_other_mix() const {
  const Trace<double>& t = right_.trace;
  const Item* y = result("y");
  const auto made = [&](const Heads& heads) -> const Item* {
    for (const Item& item : items_) {
      if (!item.is_scores && !item.is_result && part_of(item.value, heads, right_.tolerance) != Part::none)
        return &item;
    }
    if (y == nullptr || !right_.in.has_output_projection()) return nullptr;
    const Matrix wanted = merge_heads<double>(heads) * right_.in.w_o;
    return part_of(y->value, {wanted}, right_.tolerance) == Part::all ? y : nullptr;
  };
  if (const Item* item = made(mixed(t.v_heads, true))) return at(StageName::mix, item);
  if (right_.in.d_k() != right_.in.d_v()) return std::nullopt;
  const auto instead = [&](const Heads& values, Part Item::*field) -> std::optional<Location> {
    const Item* item = made(mixed(values));
    if (item == nullptr) return std::nullopt;
    if (seen(&Item::v) != Part::none) return at(StageName::mix, item);
    const Item* last = nullptr;
    for (const Item& one : items_) {
      if (&one == item) break;
      if (one.*field != Part::none &&
          (last == nullptr || one.place.name != last->place.name || one.place.line != last->place.line)) {
        if (last == nullptr || letter_is_value(one) || !letter_is_value(*last)) last = &one;
      }
    }
    return at(StageName::project, last != nullptr ? last : item);
  };
  if (auto found = instead(t.k_heads, &Item::k)) return found;
  if (auto found = instead(t.q_heads, &Item::q)) return found;
  if (right_.in.d_model() != right_.h * right_.in.d_v()) return std::nullopt;
  return instead(split_heads<double>(right_.in.x, right_.h), &Item::x);
}

// The first value that is none of those expected; the result of the call is another one.
std::optional<Location> Walk::of_heads(const Item& first, bool may_be_mix) const {
  const Trace<double>& t = right_.trace;
  bool has_y = false, has_merged = false, has_heads = false;
  for (const Item& item : items_) {
    if (&item == &first) break;
    has_y = has_y || item.is_y;
    has_merged = has_merged || (item.heads == Part::all && is_side_by_side(item));
    has_heads = has_heads || item.heads == Part::all;
  }
  const bool one_head = right_.h == 1;
  if (has_y || has_merged)
    return right_.in.has_output_projection() ? std::optional(at(StageName::output, &first)) : std::nullopt;
  double factor = 1;
  const bool is_sum =
      !one_head && part_of(first.value, only_sum(t.heads), right_.tolerance, &factor) == Part::all;
  if (!one_head && (is_sum || is_rearranged(first.value, t.heads, right_.tolerance)))
    return at(StageName::merge, &first);
  if (has_heads) return one_head ? of_result() : std::optional(at(StageName::merge, &first));
  if (seen(&Item::v) == Part::none || !may_be_mix) return std::nullopt;
  return at(StageName::mix, &first);
}

// Only what was returned is wrong: which slip makes it so?
std::optional<Location> Walk::of_result() const {
  const Item* y = result("y");
  if (y == nullptr || y->is_y) return std::nullopt;
  const Trace<double>& t = right_.trace;
  const auto is = [&](const Matrix& wanted) {
    return part_of(y->value, {wanted}, right_.tolerance) == Part::all;
  };
  if (!right_.in.has_output_projection()) return std::nullopt;
  const Matrix& w_o = right_.in.w_o;
  if (is(t.merged)) return at(StageName::output, y, true);
  if (t.merged.cols() == w_o.cols() && is(t.merged * w_o.transpose())) return at(StageName::output, y);
  if (t.y.cols() == right_.in.x.cols() && is(t.y + right_.in.x)) return at(StageName::output, y);
  for (const Item& item : items_) {
    if (item.is_y || (item.heads == Part::all && is_side_by_side(item))) return at(StageName::output, y);
  }
  if (right_.h == 1) return std::nullopt;
  for (const Matrix& merged : other_merges(t.heads)) {
    if (is(merged * w_o)) return at(StageName::merge, y);
  }
  return std::nullopt;
}

}  // namespace attest
