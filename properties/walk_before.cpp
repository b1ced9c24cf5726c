// Weights that are wrong: what came before them.
#include "properties/walk.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

Heads products_of(const Heads& a, const Heads& b) {
  Heads products;
  for (std::size_t g = 0; g < a.size(); ++g) products.emplace_back(a[g] * b[g].transpose());
  return products;
}

Matrix sum_of(const Heads& heads) {
  Matrix sum = heads[0];
  for (std::size_t g = 1; g < heads.size(); ++g) sum += heads[g];
  return sum;
}

}  // namespace

std::optional<Location> Walk::before_the_weights(const Pass& pass) const {
  const auto fits = [](const Item* item) { return item->fit.has_value(); };
  for (std::size_t i = pass.exponentials.size();
       i-- > 0;) {  // they were right, and something was done to them
    if (pass.exponentials[i]->is_weights) return at(StageName::softmax, pass.exponentials[i + 1]);
  }
  if (std::any_of(pass.scores.begin(), pass.scores.end(), fits)) return of_fitting_scores(pass);
  if (std::any_of(pass.exponentials.begin(), pass.exponentials.end(), fits))
    return of_fitting_exponentials(pass);
  return of_other_scores(pass);
}

std::optional<Location> Walk::of_fitting_scores(const Pass& pass) const {
  const Items& scores = pass.scores;
  std::size_t last = scores.size() - 1;
  while (!scores[last]->fit) --last;
  const ScoresFit& fit = *scores[last]->fit;
  const bool own = has_own_factor(fit);
  const auto first_with = [&](auto&& is_like) {
    return *std::find_if(scores.begin(), scores.end(),
                         [&](const Item* item) { return item->fit && is_like(*item->fit); });
  };
  // Keys may be the rows all along; not when what is hidden are the rows' own past.
  const bool stays_turned = std::any_of(pass.exponentials.begin(), pass.exponentials.end(),
                                        [](const Item* item) { return item->is_turned && item->fit; });
  if (scores[last]->is_turned && fit.visible_masked && fit.hidden == Hidden::open && !stays_turned) {
    return at(StageName::scores,
              *std::find_if(scores.begin(), scores.end(), [](const Item* item) { return item->is_turned; }));
  }
  if (fit.is_close) {
    const bool was_right = std::any_of(scores.begin(), scores.end(), [&](const Item* item) {
      return item->fit && !item->fit->is_close && has_own_factor(*item->fit);
    });
    if (was_right || (!own && std::fabs(fit.factor - 1) > 1e-2)) return std::nullopt;
    return at(own ? StageName::scale : StageName::scores,
              first_with([](const ScoresFit& f) { return f.is_close; }));
  }
  const bool is_plain = std::fabs(fit.factor - 1) < right_.tolerance;
  if (last + 1 < scores.size() && (!own || fit.is_open() || fit.is_masked())) {
    const StageName stage = !own ? StageName::scale : fit.is_masked() ? StageName::softmax : StageName::mask;
    return at(stage, scores[last + 1]);
  }
  const auto exponentials_with = [&](auto&& is_like) {
    return std::any_of(pass.exponentials.begin(), pass.exponentials.end(),
                       [&](const Item* item) { return item->fit && is_like(*item); });
  };
  if (!own && !exponentials_with([&](const Item& item) { return has_own_factor(*item.fit); })) {
    const auto is_like = [&](const ScoresFit& f) { return std::fabs(f.factor / fit.factor - 1) < 1e-6; };
    return at(StageName::scale, first_with(is_like), is_plain);
  }
  if (fit.is_masked()) {
    for (const Item* item : pass.exponentials) {  // of those that came before the mask
      if (is_on_the_way(*item) && item->fit->is_open()) return at(StageName::mask, item);
    }
    return of_softmax(pass);
  }
  if (pass.exponentials.empty() && fit.hidden == Hidden::zero)
    return at(StageName::softmax, scores[last], true);
  // Who hides exponentials before they are divided by their sum hides them in time.
  const bool in_time =
      exponentials_with([](const Item& item) { return item.fit->hidden == Hidden::masked; }) &&
      !exponentials_with(
          [&](const Item& item) { return item.fit->hidden == Hidden::open && is_normalised(item); });
  if (in_time && fit.is_open()) return of_softmax(pass);
  const auto is_like =
      [&](const ScoresFit& f) {  // as it stays: nothing hidden, or the first that is hidden wrongly
        return std::fabs(f.factor / fit.factor - 1) < 1e-6 && f.is_open() == fit.is_open() && !f.is_masked();
      };
  return at(StageName::mask, first_with(is_like), fit.is_open());
}

std::optional<Location> Walk::of_fitting_exponentials(const Pass& pass) const {
  const Item* first = *std::find_if(pass.exponentials.begin(), pass.exponentials.end(),
                                    [](const Item* item) { return item->fit.has_value(); });
  const ScoresFit& fit = *first->fit;
  if (fit.is_close) return std::nullopt;
  if (!has_own_factor(fit)) {
    const bool scaled = row_factor_ && std::fabs(*row_factor_ / right_.scale - 1) < 1e-6;
    if (scaled) return at(StageName::softmax, exponential_row_ ? &items_[*exponential_row_] : first);
    return at(StageName::scale, first);
  }
  if (fit.hidden == Hidden::masked) return of_softmax(pass);
  return at(StageName::mask, first, fit.hidden == Hidden::open);
}

// All that it needs is right: the first value of it that is not on the way to right weights.
std::optional<Location> Walk::of_softmax(const Pass& pass) const {
  if (pass.exponentials.empty()) return at(StageName::softmax, pass.scores.back(), true);
  for (const Item* item : pass.exponentials) {
    if (!is_on_the_way(*item) || is_alike(item->value, pass.exponentials.back()->value))
      return at(StageName::softmax, item);
  }
  return at(StageName::softmax, pass.exponentials.back());
}

std::optional<Location> Walk::of_other_scores(const Pass& pass) const {
  if (const auto found = of_other_products(pass)) return found;
  const Item* first = !pass.scores.empty() ? pass.scores.front() : pass.exponentials.front();
  if (const auto found = of_projection(true, true, false, first)) return found;
  if (seen(&Item::q) == Part::none || seen(&Item::k) == Part::none) return std::nullopt;
  for (const Item& item : items_) {  // queries or keys that were right, and something was done to them
    if (&item == first) break;
    const char letter = letter_of(item);
    if (!item.is_unknown || item.is_result || (letter != 'q' && letter != 'k')) continue;
    const bool was_right = std::any_of(items_.data(), &item, [&](const Item& other) {
      return letter_of(other) == letter && (letter == 'q' ? other.q : other.k) != Part::none;
    });
    if (was_right) return at(StageName::project, &item);
  }
  if (row_factor_ && std::fabs(*row_factor_ / right_.scale - 1) < 1e-6)
    return pass.exponentials.empty() ? std::nullopt
                                     : std::optional(at(StageName::softmax, pass.exponentials.front()));
  if (!pass.scores.empty()) return at(StageName::scores, first);
  if (other_row_) return at(StageName::scores, &items_[*other_row_]);
  return std::nullopt;
}

std::optional<Location> Walk::of_other_products(const Pass& pass) const {
  const Trace<double>& t = right_.trace;
  const auto fitting = [&](const Heads& products) -> const Item* {
    for (const Items* items : {&pass.scores, &pass.exponentials}) {
      for (const Item* item : *items) {
        const auto fit = static_cast<std::size_t>(item->view.dims[0]) <= products.size()
                             ? fit_scores(item->view, products, right_, item->is_exponentials)
                             : std::nullopt;
        if (fit && !fit->is_close) return item;
      }
    }
    return nullptr;
  };
  if (const Item* item = fitting(transposed_heads(t.scores))) return at(StageName::scores, item);
  if (right_.h > 1) {
    if (const Item* item = fitting({sum_of(t.scores)})) {  // one product of all columns
      for (const Item& whole : items_) {
        if (whole.q == Part::all && is_side_by_side(whole)) return at(StageName::split, &whole, true);
      }
      return at(StageName::split, item, true);
    }
  }
  if (right_.in.d_k() != right_.in.d_v()) return std::nullopt;
  for (const Heads* a : {&t.q_heads, &t.v_heads, &t.k_heads}) {
    for (const Heads* b : {&t.q_heads, &t.k_heads, &t.v_heads}) {
      if ((a == &t.q_heads && b == &t.k_heads) || (a == &t.k_heads && b == &t.q_heads)) continue;
      const Item* item = fitting(products_of(*a, *b));
      if (item == nullptr) continue;
      for (const Item& one : items_) {  // a name that is another's
        const char letter = letter_of(one);
        const Part own = letter == 'q' ? one.q : letter == 'k' ? one.k : one.v;
        if (letter != 0 && own == Part::none && stage_of(one)) return at(StageName::project, &one);
      }
      const bool both_seen = seen(&Item::q) != Part::none && seen(&Item::k) != Part::none;
      return both_seen ? std::optional(at(StageName::scores, item)) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Location> Walk::of_projection(bool q, bool k, bool v, const Item* before) const {
  const Trace<double>& t = right_.trace;
  const bool missing = (q && seen(&Item::q) == Part::none) || (k && seen(&Item::k) == Part::none) ||
                       (v && seen(&Item::v) == Part::none);
  for (const Item& item : items_) {
    if (&item == before) break;
    if (!item.is_unknown || item.is_result) continue;
    const bool rearranged = (q && is_rearranged(item.value, t.q_heads, right_.tolerance)) ||
                            (k && is_rearranged(item.value, t.k_heads, right_.tolerance)) ||
                            (v && is_rearranged(item.value, t.v_heads, right_.tolerance));
    if (rearranged && right_.h == 1) return std::nullopt;
    if (rearranged) return at(StageName::split, &item);
    if (missing) return at(StageName::project, &item);
  }
  return std::nullopt;
}

}  // namespace attest
