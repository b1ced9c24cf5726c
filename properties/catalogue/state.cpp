// Calls do not influence one another, nor what they were given.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"
#include "properties/right.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace attest {
namespace {

// To the last bit: another sign of a zero is a change.
bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// How far two answers to the same call may be apart: each is within its bound; exactly the same where no bound is known.
Right tolerance(const Subject& subject, const Question& question, std::span<const Reply> replies,
                std::size_t first, std::size_t second) {
  Right right = right_answer(subject, question).value_or(Right{});
  if (subject.spec->subject ==
      "attention") {  // wrong answers too, as long as they compute something like attention
    PairBound bound = pair_bound(subject, *recall(question, subject));
    for (const std::size_t reply : {first, second}) {
      if (const auto weights = weights_of(replies[reply])) bound.cover(*weights);
    }
    for (Right::Result& result : right.results) {
      result.bounds = result.name == "y" ? flat(bound.y) : flat(bound.weights);
    }
    return right;
  }
  for (Right::Result& result : right.results) {
    const bool exact =
        std::all_of(result.bounds.begin(), result.bounds.end(), [](double bound) { return bound == 0; });
    if (exact) continue;
    // Wrong numbers may be larger than right ones, and round accordingly.
    double largest = 1;
    for (const std::size_t reply : {first, second}) {
      for (const double v : get(replies[reply].results, result.name).values) {
        if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
      }
    }
    const double rounding =
        16 * static_cast<double>(result.dims.back() + 8) * precision(subject.dtype).unit_roundoff * largest;
    for (double& bound : result.bounds) bound = 2 * bound + rounding;
  }
  return right;
}

// The second of two answers to the same call, compared with the first.
Verdict same_answer(const Subject& subject, std::span<const Question> questions,
                    std::span<const Reply> replies, std::size_t first, std::size_t second,
                    std::string_view kind, std::string transform) {
  const bool same =
      std::all_of(replies[first].results.begin(), replies[first].results.end(), [&](const Named& result) {
        const Tensor* again = find(replies[second].results, result.name);
        return again == nullptr || *again == result.tensor;
      });
  if (same) return Verdict::pass();
  Right right = tolerance(subject, questions[first], replies, first, second);
  Right once;  // the first answer, as what should come again
  for (const Named& result : replies[first].results) {
    if (find(replies[second].results, result.name) == nullptr) continue;
    const auto* bound = right.find(result.name);
    const Numbers& values = result.tensor.values;
    once.results.push_back({result.name,
                            result.tensor.dims,
                            {values.begin(), values.end()},
                            bound ? bound->bounds : std::vector<double>(values.size(), 0)});
  }
  auto e = first_wrong(subject, once, replies[second].results);
  if (!e) return Verdict::pass();
  if (!right.results.empty()) compare_all(*e, once, replies[second].results);
  return falsified(std::move(*e), kind, second, std::move(transform));
}

std::vector<Question> ask_pure(const Subject& subject, const Case& c) {
  Question q{materialise(*subject.spec, c, subject.dtype)};
  q.echo = true;
  return questions_in_order(std::move(q));
}

Verdict judge_pure(const Subject&, const Case&, std::span<const Question> questions,
                   std::span<const Reply> replies) {
  for (const Named& before : questions[0].arguments) {
    const Tensor* after = find(replies[0].arguments_after, before.name);
    if (after == nullptr || before.integer) continue;
    if (after->dims != before.tensor.dims) {
      Verdict verdict = falsified({}, before.name + "-shape", 0);
      verdict.fault.message = "your function changed the shape of its argument " + before.name + " from " +
                              shape_text(before.tensor.dims) + " to " + shape_text(after->dims);
      return verdict;
    }
    for (std::size_t k = 0; k < before.tensor.values.size(); ++k) {
      if (is_same(before.tensor.values[k], after->values[k])) continue;
      Evidence e;
      e.tensor = before.name;
      e.index = index_of(k, before.tensor.dims);
      e.expected = before.tensor.values[k];
      e.actual = after->values[k];
      e.error = std::fabs(e.actual - e.expected);
      e.compared[before.name] = {before.tensor, *after};
      return falsified(std::move(e), before.name, 0);
    }
  }
  for (const Named& after : replies[0].arguments_after) {  // of the call's own arguments: those that changed
    if (find(questions[0].arguments, after.name) != nullptr) continue;
    Verdict verdict = falsified({}, after.name, 0);
    verdict.fault.message = "your function changed its argument " + after.name;
    return verdict;
  }
  return Verdict::pass();
}

std::vector<Question> ask_twice(const Subject& subject, const Case& c) {
  const Question q{materialise(*subject.spec, c, subject.dtype)};
  return std::vector<Question>(2, q);
}

Verdict judge_twice(const Subject& subject, const Case&, std::span<const Question> questions,
                    std::span<const Reply> replies) {
  return same_answer(subject, questions, replies, 0, 1, "repeat", "the same call again");
}

// Lengths of the calls that come before: shorter, longer, falling and rising. The choice "history" is one of them, and whether calls with
// other weights come before or after these: what is kept of the first call shows only where that was another one.
constexpr std::array<std::array<Index, 5>, 4> kHistories = {
    {{2, 0, 0, 0, 0}, {9, 0, 0, 0, 0}, {1, 7, 0, 0, 0}, {2, 9, 5, 1, 9}}};

// Another value for a factor of an extent (n_heads of d_model) with which all arrays keep their shapes; 0 where there is none.
Index other_factor(const Spec& spec, const Case& c, const std::string& factor) {
  const Extents extents = spec.complete(c.free);
  for (const Symbol& symbol : spec.symbols) {
    if (std::find(symbol.factors.begin(), symbol.factors.end(), factor) == symbol.factors.end()) continue;
    const Index rest = extents.at(symbol.name) / extents.at(factor);
    return rest != extents.at(factor) ? rest : rest > 1 ? 1 : 0;
  }
  return 0;
}

std::vector<Question> ask_history(const Subject& subject, const Case& c) {
  const Spec& spec = *subject.spec;
  const Arguments own = materialise(spec, c, subject.dtype);
  const std::string length = spec.free_symbols().front();  // T
  Case earlier = c;                                        // other numbers
  earlier.literal.reset();
  earlier.seed = c.seed + 1;
  std::vector<Question> questions;
  const auto other_tokens =
      [&](Index tokens) {  // what has another length has other numbers; the weights are the same
        earlier.free[length] = tokens;
        Arguments before = materialise(spec, earlier, subject.dtype);
        for (std::size_t a = 1; a < before.size(); ++a) {
          if (before[a].tensor.dims == own[a].tensor.dims) before[a] = own[a];
        }
        questions.push_back({std::move(before)});
      };
  // What is remembered for a shape or for a set of weights shows after a call that has just these, and other tokens; what
  // is remembered for tokens after calls of which one other argument differs.
  const auto one_other_argument = [&] {
    earlier.free[length] = c.free.at(length);
    const Arguments drawn = materialise(spec, earlier, subject.dtype);
    for (std::size_t a = 1; a < own.size(); ++a) {
      Arguments before = own;
      if (own[a].integer) {
        const Index other = other_factor(spec, c, spec.arguments[a].dims[0]);
        if (other == 0) continue;
        before[a].tensor.values[0] = static_cast<double>(other);
      } else {
        before[a] = drawn[a];
      }
      questions.push_back({std::move(before)});
    }
  };
  const auto choice = static_cast<std::size_t>(c.choice("history"));
  const bool others_first = choice / kHistories.size() % 2 == 1;
  if (others_first) {
    earlier.free[length] = c.free.at(length);
    questions.push_back({materialise(spec, earlier, subject.dtype)});  // nothing as it will be
    one_other_argument();
  }
  for (const Index tokens : kHistories.at(choice % kHistories.size())) {
    if (tokens != 0) other_tokens(tokens);
  }
  other_tokens(c.free.at(length));
  if (!others_first) one_other_argument();
  questions.push_back({own});
  questions.push_back(questions.back());
  questions.back().fresh = true;
  // What is remembered of an array shows when that array has got other numbers.
  if (subject.sees_memory_order) questions[questions.size() - 2].order = MemoryOrder::same_arrays;
  return questions;
}

Verdict judge_history(const Subject& subject, const Case&, std::span<const Question> questions,
                      std::span<const Reply> replies) {
  const std::size_t fresh = questions.size() - 1;
  return same_answer(
      subject, questions, replies, fresh, fresh - 1, "history",
      subject.sees_memory_order
          ? "after calls with other inputs, the last of them in the same arrays, against a fresh start"
          : "after calls with other inputs, against a fresh start");
}

// A result is the caller's: later calls must not write into it. All have the same shapes, so that a buffer fits again, and all later ones
// the same numbers, so that it does not matter which of several buffers they fill.
std::vector<Question> ask_kept(const Subject& subject, const Case& c) {
  Case next = c;
  next.literal.reset();
  next.zeroed.clear();
  next.seed = c.seed + 1;
  std::vector<Question> questions(1 + kResultsLookedBack,
                                  Question{materialise(*subject.spec, next, subject.dtype)});
  questions.front().arguments = materialise(*subject.spec, c, subject.dtype);
  questions.back().echo_previous = true;
  return questions;
}

Verdict judge_kept(const Subject&, const Case&, std::span<const Question>, std::span<const Reply> replies) {
  for (const Named& before : replies[0].results) {
    const Tensor* after = find(replies.back().previous_after, before.name);
    if (after == nullptr) continue;
    if (after->dims != before.tensor.dims) {
      Verdict verdict = falsified({}, before.name + "-shape", 0);
      verdict.fault.message = "a later call changes the shape of the first one's result: " + before.name +
                              " was " + shape_text(before.tensor.dims) + " and is " +
                              shape_text(after->dims) + " now";
      return verdict;
    }
    for (std::size_t k = 0; k < before.tensor.values.size(); ++k) {
      const double was = before.tensor.values[k], is = after->values[k];
      if (is_same(was, is)) continue;
      Evidence e;
      e.tensor = before.name;
      e.index = index_of(k, before.tensor.dims);
      e.expected = was;
      e.actual = is;
      e.error = std::fabs(is - was);
      e.compared[before.name] = {before.tensor, *after};
      return falsified(
          std::move(e), before.name, 0,
          fmt::format("after {} calls with other numbers of the same shape", kResultsLookedBack));
    }
  }
  return Verdict::pass();
}

std::vector<Question> ask_orders(const Subject& subject, const Case& c) {
  std::vector<Question> questions(3, Question{materialise(*subject.spec, c, subject.dtype)});
  questions[1].order = MemoryOrder::fortran;
  questions[2].order = MemoryOrder::strided;
  return questions;
}

Verdict judge_orders(const Subject& subject, const Case&, std::span<const Question> questions,
                     std::span<const Reply> replies) {
  Verdict fortran =
      same_answer(subject, questions, replies, 0, 1, "fortran", "the same numbers in Fortran order");
  if (fortran.outcome != Outcome::passed) return fortran;
  return same_answer(subject, questions, replies, 0, 2, "strided",
                     "the same numbers as a view of a larger array");
}

}  // namespace

std::vector<Property> state_properties() {
  return {
      {.id = "state/pure",
       .title = "the inputs are the same after the call",
       .group = "state",
       .subject = "",
       .formula = "x, w_q, w_k, w_v, w_o are unchanged, to the last bit",
       .why = "Arrays are passed by reference. Scaling a weight or masking x in place makes the next call, "
              "and everybody else who holds "
              "that array, work with other numbers.",
       .blind_to = "state that is kept elsewhere",
       .needs_steady_answers = false,
       .ask = ask_pure,
       .judge = judge_pure},
      {.id = "state/deterministic",
       .title = "the same call gives the same answer",
       .group = "state",
       .subject = "",
       .formula = "f(x) = f(x), within rounding",
       .why = "Attention is a function. Dropout that was left on, memory that nobody initialised or "
              "something remembered from the last "
              "call shows here.",
       .blind_to = "state that depends on other inputs only",
       .needs_steady_answers = false,
       .ask = ask_twice,
       .judge = judge_twice},
      {.id = "state/history",
       .title = "earlier calls do not change a later one",
       .group = "state",
       .subject = "",
       .formula = "a used instance answers as a fresh one does, after calls with T = 2, 9, 5, 1, 9, with as "
                  "many tokens as now, "
                  "and with one other argument each",
       .why = "A mask that was built for the first length and kept, or keys that stay from the last call, "
              "are right the first time only. "
              "So the answer is compared with that of a process that has never been called.",
       .blind_to = "what is wrong from the first call on",
       .needs_steady_answers = false,
       .own_numbers = true,
       .has_past = true,
       .most_cases = 12,  // each starts a process
       .choices = {{"history", [](const Extents&) { return static_cast<Index>(2 * kHistories.size()); }}},
       .ask = ask_history,
       .judge = judge_history},
      {.id = "state/own-result",
       .title = "a later call leaves an earlier result alone",
       .group = "state",
       .subject = "",
       .formula = "y = f(x); f(x'), four times: y is as it was, to the last bit",
       .why = "Whoever calls twice and compares holds two results. An output array that is made once and "
              "filled again turns the "
              "first into the second.",
       .blind_to = "buffers that are not handed out",
       .most_cases = 60,
       .applies = [](const Subject& s) { return s.sees_memory_order; },
       .ask = ask_kept,
       .judge = judge_kept},
      {.id = "state/memory-order",
       .title = "the memory order of the inputs does not matter",
       .group = "state",
       .subject = "",
       .formula = "C order, Fortran order and strided views of the same numbers give the same answer",
       .why = "A transposed matrix or a slice is an array like any other. reshape on one of them copies, "
              "ravel may not, and code that "
              "reaches for the raw buffer reads the numbers in another order.",
       .blind_to = "everything that is wrong in C order already",
       .most_cases = 60,
       .applies = [](const Subject& s) { return s.sees_memory_order; },
       .ask = ask_orders,
       .judge = judge_orders},
  };
}

}  // namespace attest
