// There is an answer, of the right shape, finite; and, last of the catalogue, it is the reference's.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"
#include "properties/right.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

std::vector<Question> ask_case(const Subject& subject, const Case& c) {
  return questions_in_order(Question{materialise(*subject.spec, c, subject.dtype)});
}

Verdict judge_shape(const Subject&, const Case&, std::span<const Question>, std::span<const Reply>) {
  return Verdict::pass();  // judge_replies has looked already
}

Verdict judge_finite(const Subject& subject, const Case&, std::span<const Question> questions,
                     std::span<const Reply> replies) {
  const bool finite =
      std::all_of(replies[0].results.begin(), replies[0].results.end(), [](const Named& result) {
        return std::all_of(result.tensor.values.begin(), result.tensor.values.end(),
                           [](double v) { return std::isfinite(v); });
      });
  if (finite) return Verdict::pass();
  const auto right = right_answer(subject, questions[0]);  // to show, not to judge
  for (const Named& result : replies[0].results) {
    const Right::Result* beside = right ? right->find(result.name) : nullptr;
    for (std::size_t k = 0; k < result.tensor.values.size(); ++k) {
      const double actual = result.tensor.values[k];
      const double expected = beside ? static_cast<double>(beside->values[k]) : 0;
      if (std::isfinite(actual) || actual == expected) continue;
      Evidence e;
      e.tensor = result.name;
      e.index = index_of(k, result.tensor.dims);
      e.expected = expected;
      e.actual = actual;
      e.error = std::numeric_limits<double>::infinity();
      if (right) compare_all(e, *right, replies[0].results);
      return falsified(std::move(e), "not-finite", 0);
    }
  }
  return Verdict::pass();
}

Verdict judge_reference(const Subject& subject, const Case&, std::span<const Question> questions,
                        std::span<const Reply> replies) {
  const auto right = right_answer(subject, questions[0]);
  if (!right) return Verdict::discard();
  auto e = first_wrong(subject, *right, replies[0].results);
  if (!e) return Verdict::pass();
  const std::string kind = e->tensor;
  return falsified(std::move(*e), kind, 0);
}

}  // namespace

std::vector<Property> output_properties() {
  return {
      {.id = "output/shape",
       .title = "every call gives an answer of the promised shape",
       .group = "shape",
       .subject = "",
       .formula = "y is (T, d_model); the weights, if returned, are (n_heads, T, T)",
       .why = "Whoever calls this function relies on its shapes. T = 1, one head and one feature per head "
              "are shapes too: an axis that "
              "is squeezed away there comes back as a bug in somebody else's code.",
       .blind_to = "the numbers",
       .long_sequences = true,
       .ask = ask_case,
       .judge = judge_shape},
      {.id = "output/finite",
       .title = "every number of the answer is finite",
       .group = "shape",
       .subject = "",
       .formula = "finite inputs of ordinary size give finite y and weights",
       .why = "Every token sees at least itself, so each softmax has at least one term and cannot be 0/0. A "
              "NaN usually comes from a row "
              "in which everything was masked, or from infinity times zero.",
       .blind_to = "wrong numbers that are finite",
       .ask = ask_case,
       .judge = judge_finite},
  };
}

std::vector<Property> reference_properties() {
  return {{.id = "output/agrees-with-reference",
           .title = "the answer is that of the reference",
           .group = "numerics",
           .subject = "",
           .formula = "|y - y_ref| <= bound, |A - A_ref| <= bound, element by element",
           .why = "The other properties pin the answer down without knowing it. This one compares with an "
                  "answer computed in higher "
                  "precision; what it adds is a check on everything at once, at every magnitude.",
           .blind_to = "state between calls; why something is wrong",
           .needs_oracle = true,
           .wild = true,
           .long_sequences = true,
           .ask = ask_case,
           .judge = judge_reference}};
}

}  // namespace attest
