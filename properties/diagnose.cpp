#include "properties/diagnose.hpp"

#include "properties/behaviour.hpp"
#include "properties/measure.hpp"
#include "properties/snapshot_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace attest {
namespace {

// A name needs at least so many questions in which the bug makes a difference, over so many shapes: constants that happen to fit are not
// named.
constexpr int kLeastDifferent = 10, kLeastShapes = 3;

// Which stages a change replaces, as bits; the tenth is for what is done around them. Two changes can be had at once if they share none.
unsigned parts_of(const Change& change) {
  constexpr unsigned kAround = 1u << 9, kAll = (1u << 10) - 1;
  if (change.keeps_state && !change.around) return kAll;  // its tables have other sizes
  unsigned parts = change.around ? kAround : 0;
  if (!change.in_double) return parts;
  Stages<double> right, now;
  change.in_double(now);
  const auto stages = [](const Stages<double>& s) {
    return std::array{&s.project, &s.split, &s.scores, &s.scale, &s.mask,
                      &s.softmax, &s.mix,   &s.merge,  &s.output};
  };
  for (std::size_t i = 0; i < 9; ++i) {
    if (stages(now)[i]->target_type() != stages(right)[i]->target_type()) parts |= 1u << i;
  }
  return parts;
}

bool is_square(const Arguments& arguments) {
  const Tensor &x = get(arguments, "x"), &w_q = get(arguments, "w_q"), &w_v = get(arguments, "w_v");
  return w_q.dims[1] == x.dims[1] && w_v.dims[1] == x.dims[1];
}

// Calls found(suspect, changes) for every row, with each of its numbers or the one that was measured, that behaves like the
// implementation.
template <class Found>
void one_at_a_time(const Behaviour& behaviour, const std::vector<const Mutant*>& rows,
                   const Measured& measured, const Found& found) {
  for (const Mutant* row : rows) {
    const auto try_one = [&](double value, const Change& change) {
      const Change* const only[] = {&change};
      if (!behaviour.is_of(only)) return false;
      Suspect suspect{{row}, {}};
      if (!row->parameter.empty()) suspect.parameters.emplace_back(row->parameter, value);
      found(std::move(suspect), only);
      return true;
    };
    if (row->fit) {
      const double value = row->fit(measured);
      if (!std::isnan(value) && try_one(value, row->fitted(value))) continue;
    } else if (try_one(row->value, row->change)) {
      continue;
    }
    for (const auto& [value, change] : row->others) {
      if (try_one(value, change)) break;
    }
  }
}

template <class Found>
void two_at_a_time(const Behaviour& behaviour, const std::vector<const Mutant*>& rows, const Found& found) {
  std::vector<unsigned> parts;
  for (const Mutant* row : rows) parts.push_back(parts_of(row->change));
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      if ((parts[a] & parts[b]) != 0) continue;
      const Change* const both[] = {&rows[a]->change, &rows[b]->change};
      if (behaviour.is_of(both)) found(Suspect{{rows[a], rows[b]}, {}}, both);
    }
  }
}

// ---- what is known where there is no name ------------------------------------------------------------------------------------

struct Attribute {
  std::string name;
  std::vector<double> values;
};

// "right wherever T is 4 or less, wrong from 5 on", if that tells the wrong from the right ones.
std::vector<std::string> conditions(const Behaviour& behaviour, const std::vector<bool>& right) {
  std::vector<Attribute> all = {{"T", {}}, {"n_heads", {}}, {"d_head", {}}, {"the largest |score|", {}}};
  for (const Question& question : behaviour.questions()) {
    const Inputs<double> in = attention_inputs(question.arguments);
    all[0].values.push_back(static_cast<double>(in.tokens()));
    all[1].values.push_back(static_cast<double>(in.n_heads));
    all[2].values.push_back(static_cast<double>(in.d_k()));
    all[3].values.push_back(largest_score(in));
  }
  std::vector<std::string> texts;
  for (const Attribute& seen : all) {
    double least_wrong = std::numeric_limits<double>::infinity(), most_right_below = 0;
    for (std::size_t q = 0; q < right.size(); ++q) {
      if (!right[q]) least_wrong = std::min(least_wrong, seen.values[q]);
    }
    int above = 0, wrong_above = 0, below = 0;
    for (std::size_t q = 0; q < right.size(); ++q) {
      if (seen.values[q] < least_wrong) {
        ++below;
        most_right_below = std::max(most_right_below, seen.values[q]);
      } else {
        ++above;
        wrong_above += !right[q];
      }
    }
    if (below >= kLeastDifferent && 5 * wrong_above >= 4 * above)
      texts.push_back(
          most_right_below == 1
              ? fmt::format("right wherever {} is 1, wrong from {:.3g} on", seen.name, least_wrong)
              : fmt::format("right wherever {} is {:.3g} or less, wrong from {:.3g} on", seen.name,
                            most_right_below, least_wrong));
  }
  return texts;
}

std::vector<std::string> known_of(const Behaviour& behaviour) {
  const std::vector<bool> right = behaviour.right();
  const auto n_wrong = std::count(right.begin(), right.end(), false);
  std::vector<std::string> known;
  if (n_wrong == 0) return known;
  // What a call does to its arguments is looked at in some calls only.
  std::ptrdiff_t n_echo = 0, n_wrong_echo = 0;
  for (std::size_t q = 0; q < right.size(); ++q) {
    n_echo += behaviour.questions()[q].echo;
    n_wrong_echo += behaviour.questions()[q].echo && !right[q];
  }
  if (n_wrong_echo == n_wrong) {
    known.push_back(
        fmt::format("wrong in {} of the {} calls after which the arguments were looked at", n_wrong, n_echo));
  } else {
    known.push_back(n_wrong == std::ssize(right)
                        ? "wrong in every call that was tried"
                        : fmt::format("wrong in {} of {} calls", n_wrong, right.size()));
  }
  std::set<MemoryOrder> wrong_orders;
  for (std::size_t q = 0; q < right.size(); ++q) {
    if (!right[q]) wrong_orders.insert(behaviour.questions()[q].order);
  }
  for (std::size_t q = 1; q < right.size(); ++q) {
    const Question &a = behaviour.questions()[q - 1], &b = behaviour.questions()[q];
    if (a.arguments != b.arguments || a.order != b.order) continue;
    const Arguments &one = behaviour.replies()[q - 1].results, &other = behaviour.replies()[q].results;
    if (std::equal(one.begin(), one.end(), other.begin(), other.end(),
                   [](const Named& x, const Named& y) { return is_alike(x.tensor, y.tensor); }))
      continue;
    known.push_back("two equal calls after one another gave different answers");
    break;
  }
  if (!wrong_orders.contains(MemoryOrder::c)) known.push_back("only with arrays that are not in C order");
  for (std::string& text : conditions(behaviour, right)) known.push_back(std::move(text));
  return known;
}

}  // namespace

bool can_be_had_together(const Change& a, const Change& b) { return (parts_of(a) & parts_of(b)) == 0; }

std::string Suspect::id() const {
  std::string text;
  for (const Mutant* row : rows) text += (text.empty() ? "" : "+") + std::string(row->id);
  return text;
}

Diagnosis diagnose(const Subject& subject, Candidate& candidate, std::uint64_t seed,
                   std::span<const Mutant> rows, std::span<const Question> also) {
  Diagnosis diagnosis;
  std::vector<Question> questions =
      diagnostic_questions(*subject.spec, subject.dtype, seed, candidate.sees_memory_order());
  for (const Question& question : also) {
    if (question.call == 0 && !question.fresh && !question.echo && !question.echo_previous)
      questions.push_back(question);
  }
  candidate.restart();
  std::vector<Reply> replies = candidate.answer(questions);
  const bool answered = replies.size() == questions.size() &&
                        std::all_of(replies.begin(), replies.end(), [](const Reply& reply) {
                          return reply.outcome == Outcome::passed && find(reply.results, "y") != nullptr;
                        });
  if (!answered) return diagnosis;  // an exception says more than a name

  const Behaviour behaviour(subject, questions, std::move(replies));
  std::vector<const Mutant*> possible;
  const bool square = is_square(questions.front().arguments);
  const bool shows_weights =
      std::any_of(behaviour.replies().begin(), behaviour.replies().end(),
                  [](const Reply& reply) { return find(reply.results, "weights") != nullptr; });
  for (const Mutant& row : rows) {
    const bool applies = (square || !row.needs_square) && (shows_weights || !row.needs_weights);
    if (applies && !row.only_warned_of) possible.push_back(&row);
  }
  const auto found = [&](Suspect suspect, std::span<const Change* const> changes) {
    if (diagnosis.suspects.empty()) {
      const Behaviour::Difference difference = behaviour.from_reference(changes);
      if (difference.questions < kLeastDifferent || difference.shapes < kLeastShapes) return;
      diagnosis.agreed = diagnosis.of = difference.questions;
    }
    diagnosis.suspects.push_back(std::move(suspect));
  };
  const std::optional<double> dropped = behaviour.dropout();
  for (const Mutant* row : possible) {
    if (!row->is_random || !dropped) continue;
    const auto right = behaviour.right();
    diagnosis.agreed = diagnosis.of = static_cast<int>(std::count(right.begin(), right.end(), false));
    diagnosis.suspects.push_back(
        {{row}, {{std::string(row->parameter), std::round(*dropped * 1000) / 1000}}});
    return diagnosis;
  }
  std::erase_if(possible, [](const Mutant* row) { return row->is_random; });
  one_at_a_time(behaviour, possible, measure(subject, candidate), found);
  // NaN in every place says little, and many pairs make it.
  if (diagnosis.suspects.empty() && behaviour.has_numbers()) two_at_a_time(behaviour, possible, found);
  if (diagnosis.suspects.empty()) diagnosis.known = known_of(behaviour);
  return diagnosis;
}

}  // namespace attest
