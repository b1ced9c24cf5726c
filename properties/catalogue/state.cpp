// Calls do not influence one another, nor what they were given.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <cmath>

namespace attest {
namespace {

// Two answers to the same inputs may differ by rounding (another summation order), never by more: each is within its bound.
Verdict same_answer(const Subject& subject, std::span<const Question> questions,
                    std::span<const Reply> replies, std::size_t first, std::size_t second,
                    std::string_view kind, std::string transform) {
  const Inputs<double> in = inputs_of(questions[first]);
  const auto oracle = recall(in, subject.dtype);
  const Expected& expected = *oracle;
  const Matrix y1 = y_of(replies[first]), y2 = y_of(replies[second]);
  const auto w1 = weights_of(replies[first]), w2 = weights_of(replies[second]);
  const PairBound bound = pair_bound(subject, in, expected, w1, w2);
  if (auto e = first_difference(subject, "y", y2, wide(y1), bound.y)) {
    show(*e, "y", wide(y1), y2);
    return falsified(std::move(*e), kind, second, std::move(transform));
  }
  if (w1 && w2) {
    if (auto e = first_difference(subject, "weights", *w2, wide(*w1), bound.weights)) {
      show(*e, "weights", wide(*w1), *w2);
      return falsified(std::move(*e), kind, second, std::move(transform));
    }
  }
  return Verdict::pass();
}

std::vector<Question> ask_pure(const Subject& subject, const Case& c) {
  Question q = ask(subject, inputs_of(subject, c));
  q.echo = true;
  return {q};
}

Verdict judge_pure(const Subject&, const Case&, std::span<const Question> questions,
                   std::span<const Reply> replies) {
  for (const Named& before : questions[0].arguments) {
    const Tensor* after = find(replies[0].arguments_after, before.name);
    if (after == nullptr || before.integer) continue;
    for (std::size_t k = 0; k < before.tensor.values.size(); ++k) {
      if (before.tensor.values[k] == after->values.at(k)) continue;
      Evidence e;
      e.tensor = before.name;
      e.index = {static_cast<Index>(k) / before.tensor.dims.back(),
                 static_cast<Index>(k) % before.tensor.dims.back()};
      e.expected = before.tensor.values[k];
      e.actual = after->values[k];
      e.error = std::fabs(e.actual - e.expected);
      e.compared[before.name] = {before.tensor, *after};
      return falsified(std::move(e), before.name, 0);
    }
  }
  return Verdict::pass();
}

std::vector<Question> ask_twice(const Subject& subject, const Case& c) {
  const Question q = ask(subject, inputs_of(subject, c));
  return {q, q};
}

Verdict judge_twice(const Subject& subject, const Case&, std::span<const Question> questions,
                    std::span<const Reply> replies) {
  return same_answer(subject, questions, replies, 0, 1, "repeat", "the same call again");
}

// Lengths of the calls that come before: shorter, longer, falling and rising.
constexpr std::array<std::array<Index, 5>, 4> kHistories = {
    {{2, 0, 0, 0, 0}, {9, 0, 0, 0, 0}, {1, 7, 0, 0, 0}, {2, 9, 5, 1, 9}}};

std::vector<Question> ask_history(const Subject& subject, const Case& c) {
  const Inputs<double> in = inputs_of(subject, c);
  std::vector<Question> questions;
  Case earlier = c;  // other numbers
  earlier.literal.reset();
  earlier.seed = c.seed + 1;
  const auto other_tokens = [&](Index tokens) {
    earlier.free["T"] = tokens;
    Inputs<double> before = in;
    before.x = inputs_of(subject, earlier).x;
    questions.push_back(ask(subject, before));
  };
  for (const Index tokens :
       kHistories.at(static_cast<std::size_t>(c.choice("history")) % kHistories.size())) {
    if (tokens != 0) other_tokens(tokens);
  }
  // What is remembered for a shape or for a set of weights shows after a call that has just these, and other tokens; what
  // is remembered for tokens after one that has other weights.
  other_tokens(in.x.rows());
  Inputs<double> other_weights = inputs_of(subject, earlier);
  other_weights.x = in.x;
  questions.push_back(ask(subject, other_weights));
  questions.push_back(ask(subject, in));
  questions.push_back(questions.back());
  questions.back().fresh = true;
  return questions;
}

Verdict judge_history(const Subject& subject, const Case&, std::span<const Question> questions,
                      std::span<const Reply> replies) {
  const std::size_t fresh = questions.size() - 1;
  return same_answer(subject, questions, replies, fresh, fresh - 1, "history",
                     "after calls with other inputs, against a fresh start");
}

std::vector<Question> ask_orders(const Subject& subject, const Case& c) {
  std::vector<Question> questions(3, ask(subject, inputs_of(subject, c)));
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
       .formula = "a used instance answers as a fresh one does, after calls with T = 2, 9, 5, 1, 9, with as "
                  "many tokens as now, "
                  "and with other weights",
       .why = "A mask that was built for the first length and kept, or keys that stay from the last call, "
              "are right the first time only. "
              "So the answer is compared with that of a process that has never been called.",
       .blind_to = "what is wrong from the first call on",
       .needs_steady_answers = false,
       .most_cases = 12,  // each starts a process
       .choices = {{"history", [](const Extents&) { return static_cast<Index>(kHistories.size()); }}},
       .ask = ask_history,
       .judge = judge_history},
      {.id = "state/memory-order",
       .title = "the memory order of the inputs does not matter",
       .group = "state",
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
