// There is an answer, of the right shape, finite; and, last of the catalogue, it is the reference's.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <cmath>
#include <limits>

namespace attest {
namespace {

std::vector<Question> ask_case(const Subject& subject, const Case& c) {
  return {{materialise(*subject.spec, c, subject.dtype)}};
}

Verdict judge_shape(const Subject&, const Case&, std::span<const Question>, std::span<const Reply>) {
  return Verdict::pass();  // judge_replies has looked already
}

Verdict judge_finite(const Subject& subject, const Case&, std::span<const Question> questions,
                     std::span<const Reply> replies) {
  for (const Named& result : replies[0].results) {
    for (std::size_t k = 0; k < result.tensor.values.size(); ++k) {
      if (std::isfinite(result.tensor.values[k])) continue;
      Evidence e;
      e.tensor = result.name;
      auto rest = static_cast<Index>(k);
      for (auto d = result.tensor.dims.rbegin(); d != result.tensor.dims.rend(); ++d) {
        e.index.insert(e.index.begin(), rest % *d);
        rest /= *d;
      }
      e.actual = result.tensor.values[k];
      const auto oracle = recall(inputs_of(questions[0]), subject.dtype);
      const Expected& expected = *oracle;  // to show, not to judge
      show(e, "y", expected.trace.y, y_of(replies[0]));
      if (const auto weights = weights_of(replies[0])) show(e, "weights", expected.trace.weights, *weights);
      e.expected = e.compared.at(result.name).first.values[k];
      e.error = std::numeric_limits<double>::infinity();
      return falsified(std::move(e), "not-finite", 0);
    }
  }
  return Verdict::pass();
}

Verdict judge_reference(const Subject& subject, const Case&, std::span<const Question> questions,
                        std::span<const Reply> replies) {
  const Inputs<double> in = attention_inputs(questions[0].arguments);
  const auto oracle = recall(in, subject.dtype);
  const Expected& expected = *oracle;
  const Matrix y = y_of(replies[0]);
  const auto weights = weights_of(replies[0]);
  auto e = first_difference(subject, "y", y, expected.trace.y, expected.y_error);
  const bool y_differs = e.has_value();
  if (!e && weights)
    e = first_difference(subject, "weights", *weights, expected.trace.weights,
                         weight_bounds(subject, in, expected));
  if (!e) return Verdict::pass();
  show(*e, "y", expected.trace.y, y);
  if (weights) show(*e, "weights", expected.trace.weights, *weights);
  e->largest_score = largest_visible_score(expected);
  return falsified(std::move(*e), y_differs ? "y" : "weights", 0);
}

}  // namespace

std::vector<Property> output_properties() {
  return {
      {.id = "output/shape",
       .title = "every call gives an answer of the promised shape",
       .group = "shape",
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
           .group = "projections",
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
