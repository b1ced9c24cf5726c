// Large scores: a softmax must not overflow, and a mask must hide whatever the size of what it hides.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attest {
namespace {

constexpr Index kSmallest = 3, kPowers = 18;  // magnitudes 1e3 ... 1e20

// P25. x > 0 with row 0 the largest, all weight matrices the identity but w_q = -c I or c I. Row 0 sees itself only: its weight
// is 1 and y_0 is its own value. With -c all visible scores are far below 0 and row 0's own is the lowest of its row, so that
// any finite stand-in for -inf wins over it; with c the exponentials overflow unless the maximum is taken out.
std::vector<Question> ask_large(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  in.x = in.x.cwiseAbs().array() + 1;
  const double top = in.x.maxCoeff();
  in.x.row(0).setConstant(top + 1);
  in.w_q.setIdentity();
  in.w_k.setIdentity();
  in.w_v.setIdentity();
  if (in.has_output_projection()) in.w_o.setIdentity();
  const double magnitude = std::pow(10.0, static_cast<double>(kSmallest + c.choice("power")));
  in.w_q *= c.choice("positive") == 0 ? -magnitude : magnitude;
  if (subject.dtype == Dtype::float32) in.w_q = in.w_q.cast<float>().cast<double>();
  return questions_in_order(ask(subject, in));
}

Verdict judge_large(const Subject& subject, const Case& c, std::span<const Question> questions,
                    std::span<const Reply> replies) {
  const auto oracle = recall(questions[0], subject);
  const Expected& expected = *oracle;
  const Inputs<double>& in = expected.in;
  const MatrixView y = y_of(replies[0]);
  const auto weights = weights_of(replies[0]);
  const auto fail = [&](Evidence e, std::string_view kind) {
    show(e, "y", expected.y(), y);
    if (weights) show(e, "weights", expected.weights, *weights);
    e.largest_score = largest_visible_score(expected);
    return falsified(std::move(e), kind, 0,
                     fmt::format("w_q = {}1e{} times the identity", c.choice("positive") == 0 ? "-" : "",
                                 kSmallest + c.choice("power")));
  };
  if (auto e = first_difference(subject, "y", y.topRows(1), Matrix(values_alone(in).topRows(1)),
                                expected.y_error().topRows(1)))
    return fail(std::move(*e), "first-row");
  for (Index i = 0; i < y.rows(); ++i) {
    for (Index j = 0; j < y.cols(); ++j) {
      if (std::isfinite(y(i, j))) continue;
      Evidence e;
      e.tensor = "y";
      e.index = {i, j};
      e.expected = expected.y()(i, j);
      e.actual = y(i, j);
      e.error = std::numeric_limits<double>::infinity();
      return fail(std::move(e), "not-finite");
    }
  }
  for (std::size_t g = 0; weights && g < weights->size(); ++g) {
    for (Index i = 0; i < in.tokens(); ++i) {
      const Wide sum = wide((*weights)[g]).row(i).sum();
      const auto head = static_cast<Index>(g);
      const double bound = sum > 1 ? expected.row_above()(head, i) : expected.row_below()(head, i);
      if (within(subject, static_cast<double>(sum), static_cast<double>(std::fabs(sum - 1)), bound)) continue;
      Evidence e;
      e.tensor = "weights";
      e.index = {head, i};
      e.expected = 1;
      e.actual = static_cast<double>(sum);
      e.error = static_cast<double>(std::fabs(sum - 1));
      e.bound = bound;
      return fail(std::move(e), "row-sum");
    }
  }
  return Verdict::pass();
}

}  // namespace

std::vector<Property> numerics_properties() {
  return {{.id = "numerics/large-scores",
           .title = "large scores give finite weights that still sum to 1, and nothing hidden comes through",
           .group = "numerics",
           .formula = "x > 0, row 0 the largest, w_q = -c I or c I, other weights I, c = 1e3 ... 1e20: y_0 = "
                      "x_0, rows sum to 1",
           .why = "exp overflows beyond 709 (88 in float32): subtract the row's maximum first. And no finite "
                  "number is minus infinity: a fill "
                  "of -1e4 or -1e9 lets hidden tokens in as soon as real scores lie below it.",
           .blind_to = "ordinary magnitudes",
           .prerequisites = {"output/finite", "values/first-row"},
           .choices = {{"power", [](const Extents&) { return kPowers; }},
                       {"positive", [](const Extents&) { return Index{2}; }}},
           .ask = ask_large,
           .judge = judge_large}};
}

}  // namespace attest
