// What happens to the values, given the weights: projection, mixing, output projection.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <cmath>

namespace attest {
namespace {

// P1. One token sees itself only, so its weight is 1 whatever the scores are.
std::vector<Question> ask_first_row(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  in.x = Matrix(in.x.topRows(1));
  return questions_in_order(ask(subject, in));
}

Verdict judge_first_row(const Subject& subject, const Case&, std::span<const Question> questions,
                        std::span<const Reply> replies) {
  const auto oracle = recall(questions[0], subject);
  const Inputs<double>& in = oracle->in;
  const Matrix expected = values_alone(in);  // (1, d_out)
  const MatrixView y = y_of(replies[0]);
  auto e = first_difference(subject, "y", y, expected, oracle->y_error());
  if (!e) return Verdict::pass();
  show(*e, "y", expected, y);
  return falsified(std::move(*e), "first-row", 0, "only the first token");
}

// P5. w_o = 0 gives 0; the top rows of w_o and the rest add up to the whole (exactly, for the sum of the two has no rounding).
std::vector<Question> ask_linear(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  CaseInputs none = in, top = in, rest = in;
  const Index cut = 1 + c.choice("cut") % in.w_o.rows();
  none.w_o.setZero();
  top.w_o.bottomRows(in.w_o.rows() - cut).setZero();
  rest.w_o.topRows(cut).setZero();
  return questions_in_order(ask(subject, none), ask(subject, in), ask(subject, top), ask(subject, rest));
}

Verdict judge_linear(const Subject& subject, const Case&, std::span<const Question> questions,
                     std::span<const Reply> replies) {
  const MatrixView none = y_of(replies[0]);
  const Matrix zero = Matrix::Zero(none.rows(), none.cols());
  if (!identical(none, zero)) {
    if (auto e = first_difference(subject, "y", none, zero, recall(questions[0], subject)->y_error())) {
      show(*e, "y", zero, none);
      return falsified(std::move(*e), "zero", 0, "w_o = 0");
    }
  }
  // Heads that attend wrongly may be larger than right ones, in all three alike.
  Matrix bound = pair_bound(subject, *recall(questions[1], subject)).y;
  const MatrixView whole = y_of(replies[1]);
  const MatrixOf<Wide> sum = wide(y_of(replies[2])) + wide(y_of(replies[3]));  // exactly: it is no answer's
  const Matrix difference = (wide(whole) - sum).cast<double>(), parts = sum.cast<double>();
  if (!first_difference(subject, "y", difference, zero, bound)) return Verdict::pass();
  for (std::size_t q = 2; q < 4; ++q) bound += recall(questions[q], subject)->y_error();
  auto e = first_difference(subject, "y", difference, zero, bound);
  if (!e) return Verdict::pass();
  e->expected = parts(e->index[0], e->index[1]);
  e->actual = whole(e->index[0], e->index[1]);
  show(*e, "y", parts, whole);
  return falsified(std::move(*e), "sum", 1, "against the sum of two calls that share out the rows of w_o");
}

// P4. From the returned weights, whatever they are, y follows.
std::vector<Question> ask_mix(const Subject& subject, const Case& c) {
  return questions_in_order(Question{materialise(*subject.spec, c, subject.dtype)});
}

Verdict judge_mix(const Subject& subject, const Case&, std::span<const Question> questions,
                  std::span<const Reply> replies) {
  const auto oracle = recall(questions[0], subject);
  const Inputs<double>& in = oracle->in;
  const auto returned = weights_of(replies[0]);
  if (!returned) return Verdict::discard();
  const Precision p = precision(subject.dtype);
  // n roundings of the submission's and as many of ours, which computes in double as well.
  const auto gamma = [&](Index n) { return static_cast<double>(2 * n) * p.unit_roundoff; };
  const Matrix v = in.x * in.w_v;                        // (T, n_heads d_v)
  const Matrix c = in.x.cwiseAbs() * in.w_v.cwiseAbs();  // bounds |v| and its rounding
  const Index d_v = in.d_v(), terms = in.tokens() + in.d_model() + 1;
  Matrix merged(v.rows(), v.cols()), error(v.rows(), v.cols());
  for (Index g = 0; g < in.n_heads; ++g) {
    const MatrixView a = (*returned)[static_cast<std::size_t>(g)];
    merged.middleCols(g * d_v, d_v) = a * v.middleCols(g * d_v, d_v);  // (T, d_v)
    error.middleCols(g * d_v, d_v) = gamma(terms) * (a.cwiseAbs() * c.middleCols(g * d_v, d_v));
  }
  error.array() += static_cast<double>(terms) * p.smallest_normal;
  Matrix y = merged;
  if (in.has_output_projection()) {
    const Matrix size = in.w_o.cwiseAbs();
    y = merged * in.w_o;  // (T, d_model)
    error = Matrix(error * size + gamma(in.w_o.rows()) * (merged.cwiseAbs() * size));
  }
  // The returned weights may be computed apart from those that were used (an online softmax does): both within their bound.
  const MatrixView actual = y_of(replies[0]);
  auto e = first_difference(subject, "y", actual, y, Matrix(error + 2 * oracle->y_error()));
  if (!e) return Verdict::pass();
  show(*e, "y", y, actual);
  return falsified(std::move(*e), "mix", 0, "against y computed from the weights that were returned");
}

}  // namespace

std::vector<Property> value_properties() {
  return {
      {.id = "values/first-row",
       .title = "the first token's output is its own value, projected",
       .group = "projections",
       .formula = "T = 1: y_0 = x_0 w_v w_o",
       .why = "A single token can look at itself only: its weight is 1, whatever the scores. What is left is "
              "the path of the values, "
              "x w_v w_o, without any attention in the way.",
       .blind_to = "scores, mask, softmax over more than one token",
       .ask = ask_first_row,
       .judge = judge_first_row},
      {.id = "values/linear-in-w-o",
       .title = "the output is linear in w_o, and 0 without it",
       .group = "projections",
       .formula = "w_o = 0 gives y = 0; y(w_o) = y(top rows) + y(other rows)",
       .why = "The output projection is the last step and nothing is added after it. A forgotten projection "
              "or a residual connection "
              "shows as an output that does not vanish with w_o.",
       .blind_to = "everything before the projection",
       .choices = {{"cut",
                    [](const Extents& e) { return e.contains("d_model") ? e.at("d_model") : Index{1}; }}},
       .applies = has_output_projection,
       .ask = ask_linear,
       .judge = judge_linear},
      {.id = "values/mix-of-weights",
       .title = "y is the values mixed by the weights that are returned",
       .group = "projections",
       .formula = "y = concat_g(A[g] (x w_v)[:, g]) w_o, with A as returned",
       .why = "Whatever the weights are, the output must follow from them. Weights that are returned but not "
              "used (averaged, computed on "
              "another path) would make every plot of them a lie.",
       .blind_to = "wrong weights that are used consistently",
       .needs_weights = true,
       .needs_returned_weights = true,
       .ask = ask_mix,
       .judge = judge_mix},
  };
}

}  // namespace attest
