// What may be changed without anything changing: bases, factors that cancel, the order of the past, what all keys have in common.
// None of these needs to know a right answer.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attest {
namespace {

// Two calls, one answer. `from`: the first row that is compared.
Verdict judge_same(const Subject& subject, std::span<const Question> questions,
                   std::span<const Reply> replies, std::string_view kind, std::string transform,
                   Index from = 0) {
  const MatrixView y = y_of(replies[0]), other = y_of(replies[1]);
  const Index n = y.rows() - from;
  if (identical(other.bottomRows(n), y.bottomRows(n))) return Verdict::pass();
  const auto oracle = recall(questions[0], subject);
  Matrix bound = pair_bound(subject, *oracle).y;  // it will usually do
  const auto differs = [&] {
    return first_difference(subject, "y", other.bottomRows(n), y.bottomRows(n), bound.bottomRows(n));
  };
  if (!differs()) return Verdict::pass();
  const auto changed = recall(questions[1], subject);
  bound += pair_bound(subject, *changed).y;
  auto e = differs();
  if (!e) return Verdict::pass();
  e->index[0] += from;
  const std::size_t wrong = show_the_wrong_one(*e, "y", oracle->y(), y, other);
  e->largest_score = std::max(largest_visible_score(*oracle), largest_visible_score(*changed));
  return falsified(std::move(*e), kind, wrong, std::move(transform));
}

// A change of basis within each head that rounds nothing: feature f becomes feature f + 1, of opposite sign and twice as large for every
// second one. `inverse` undoes it in a product over the features.
void turn(Eigen::Ref<Matrix> block, bool inverse) {
  const Matrix old = block;  // (rows, d)
  const Index d = old.cols();
  for (Index f = 0; f < d; ++f) {
    const double factor = f % 2 == 0 ? -2 : 1;
    block.col((f + 1) % d) = old.col(f) * (inverse ? 1 / factor : factor);
  }
}

// P9. q_i . k_j is a number, whatever the coordinates.
std::vector<Question> ask_basis_of_scores(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  CaseInputs turned = in;
  for (Index g = 0; g < in.n_heads; ++g) {
    turn(turned.w_q.middleCols(g * in.d_k(), in.d_k()), false);
    turn(turned.w_k.middleCols(g * in.d_k(), in.d_k()), true);
  }
  return questions_in_order(ask(subject, in), ask(subject, turned));
}

Verdict judge_basis_of_scores(const Subject& subject, const Case&, std::span<const Question> questions,
                              std::span<const Reply> replies) {
  return judge_same(subject, questions, replies, "basis",
                    "the features of queries and keys in another basis");
}

// P10. The same for the values and the rows of w_o that they meet.
std::vector<Question> ask_basis_of_values(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  CaseInputs turned = in;
  Matrix columns = in.w_o.transpose();
  for (Index g = 0; g < in.n_heads; ++g) {
    turn(turned.w_v.middleCols(g * in.d_v(), in.d_v()), false);
    turn(columns.middleCols(g * in.d_v(), in.d_v()), true);
  }
  turned.w_o = columns.transpose();
  return questions_in_order(ask(subject, in), ask(subject, turned));
}

Verdict judge_basis_of_values(const Subject& subject, const Case&, std::span<const Question> questions,
                              std::span<const Reply> replies) {
  return judge_same(subject, questions, replies, "basis", "the features of the values in another basis");
}

// P11. What w_q gains w_k loses.
std::vector<Question> ask_balanced(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  CaseInputs moved = in;
  const double factor = std::ldexp(1.0, static_cast<int>(c.choice("power")) - 4);
  moved.w_q *= factor;
  moved.w_k /= factor;
  return questions_in_order(ask(subject, in), ask(subject, moved));
}

Verdict judge_balanced(const Subject& subject, const Case& c, std::span<const Question> questions,
                       std::span<const Reply> replies) {
  return judge_same(subject, questions, replies, "balanced",
                    fmt::format("w_q times 2^{0}, w_k divided by it", c.choice("power") - 4));
}

// P17. All keys moved by one vector: every score of a row changes by the same number.
std::vector<Question> ask_keys_shifted(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  in.x.rightCols(1).setOnes();
  CaseInputs shifted = in;
  const double by = std::ldexp(1.0, static_cast<int>(c.choice("power")));
  for (Index f = 0; f < in.w_k.cols(); ++f) shifted.w_k(in.d_model() - 1, f) += f % 2 == 0 ? by : -by;
  return questions_in_order(ask(subject, in), ask(subject, shifted));
}

Verdict judge_keys_shifted(const Subject& subject, const Case& c, std::span<const Question> questions,
                           std::span<const Reply> replies) {
  return judge_same(subject, questions, replies, "shifted",
                    fmt::format("the same vector, of entries 2^{}, added to every key", c.choice("power")));
}

// P18. A token's past is a set: its order is nothing that attention knows of.
std::vector<Question> ask_reordered(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  const Index n = in.tokens();
  if (n < 3) return {};
  CaseInputs reordered = in;
  const Index shift = 1 + c.choice("shift") % (n - 2);
  for (Index i = 0; i < n - 1; ++i) reordered.x.row((i + shift) % (n - 1)) = in.x.row(i);
  return questions_in_order(ask(subject, in), ask(subject, reordered));
}

Verdict judge_reordered(const Subject& subject, const Case&, std::span<const Question> questions,
                        std::span<const Reply> replies) {
  return judge_same(subject, questions, replies, "reordered", "the tokens before the last in another order",
                    y_of(replies[0]).rows() - 1);
}

// P3. Where all tokens are alike, every mean of their values is that value.
std::vector<Question> ask_alike(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  for (Index i = 1; i < in.tokens(); ++i) in.x.row(i) = in.x.row(0);
  return questions_in_order(ask(subject, in));
}

Verdict judge_alike(const Subject& subject, const Case&, std::span<const Question> questions,
                    std::span<const Reply> replies) {
  const auto oracle = recall(questions[0], subject);
  const Inputs<double>& in = oracle->in;
  const Matrix expected = values_alone(in);
  const MatrixView y = y_of(replies[0]);
  auto e = first_difference(subject, "y", y, expected, oracle->y_error());
  if (!e) return Verdict::pass();
  show(*e, "y", expected, y);
  return falsified(std::move(*e), "alike", 0, "all tokens like the first");
}

// P20. Equal keys share alike.
std::vector<Question> ask_equal_keys(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  if (in.tokens() < 3) return {};
  in.x.row(1) = in.x.row(0);
  return ask_weights(subject, in);
}

Verdict judge_equal_keys(const Subject& subject, const Case&, std::span<const Question> questions,
                         std::span<const Reply> replies) {
  const ReadWeights weights = read_weights(subject, questions, replies);
  bool alike = true;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    const Index later = weights[g].rows() - 2;
    alike = alike && identical(weights[g].col(0).tail(later), weights[g].col(1).tail(later));
  }
  if (alike) return Verdict::pass();
  const auto oracle = recall(questions[0], subject);
  PairBound bound = pair_bound(subject, *oracle);
  bound.cover(weights);
  for (std::size_t g = 0; g < weights.size(); ++g) {
    for (Index i = 2; i < weights[g].rows(); ++i) {
      const double a = weights[g](i, 0), b = weights[g](i, 1), error = std::fabs(a - b);
      const double allowed = bound.weights[g](i, 0) + bound.weights[g](i, 1) +
                             weight_bound(subject, *oracle, g, i, 0) +
                             weight_bound(subject, *oracle, g, i, 1);
      if (within(subject, b, error, allowed)) continue;
      Evidence e;
      e.tensor = "weights";
      e.index = {static_cast<Index>(g), i, 1};
      e.expected = a;
      e.actual = b;
      e.error = error;
      e.bound = allowed;
      show(e, "weights", oracle->weights, weights.view());
      return falsified(std::move(e), "equal-keys", 0, "token 1 is like token 0");
    }
  }
  return Verdict::pass();
}

Index powers(const Extents&) { return 9; }

}  // namespace

std::vector<Property> symmetry_properties() {
  return {
      {.id = "scores/change-of-basis",
       .title = "queries and keys may be written in another basis",
       .group = "scale",
       .formula = "per head w_q -> w_q M, w_k -> w_k M^-T: y unchanged",
       .why = "A score is a dot product: (q M) . (k M^-T) = q M M^-1 k^T = q . k. Features that are dropped, "
              "mixed with those of another "
              "head or met by the wrong ones show.",
       .blind_to = "the scale, the mask, the softmax, the values",
       .most_cases = kFewCases,
       .ask = ask_basis_of_scores,
       .judge = judge_basis_of_scores},
      {.id = "values/change-of-basis",
       .title = "values may be written in another basis",
       .group = "projections",
       .formula = "per head w_v -> w_v M, w_o -> M^-1 w_o: y unchanged",
       .why = "Mixing tokens and choosing coordinates commute: A (v M) M^-1 w_o = A v w_o. Each head's "
              "values must meet that head's own "
              "rows of w_o.",
       .blind_to = "queries and keys",
       .most_cases = kFewCases,
       .applies = has_output_projection,
       .ask = ask_basis_of_values,
       .judge = judge_basis_of_values},
      {.id = "scores/balanced-factors",
       .title = "what w_q gains w_k may lose",
       .group = "scale",
       .formula = "w_q -> c w_q, w_k -> w_k / c, c = 2^k: y unchanged",
       .why = "Scores are bilinear in w_q and w_k, so the factors cancel, exactly for powers of two.",
       .blind_to = "the scale, the layout",
       .most_cases = kFewCases,
       .choices = {{"power", powers}},
       .ask = ask_balanced,
       .judge = judge_balanced},
      {.id = "weights/shift-of-keys",
       .title = "adding one vector to all keys changes nothing",
       .group = "softmax",
       .formula = "x[:, -1] = 1, w_k[-1] -> w_k[-1] + b: y unchanged",
       .why = "Every score of row i grows by q_i . b / sqrt(d_head), the same for all keys, and a softmax "
              "does not see what all have in "
              "common. A hidden score that is a fixed number instead of -inf does.",
       .blind_to = "everything but the normalisation and the mask",
       .most_cases = kFewCases,
       .choices = {{"power", powers}},
       .ask = ask_keys_shifted,
       .judge = judge_keys_shifted},
      {.id = "weights/order-of-the-past",
       .title = "the order of earlier tokens does not matter to a later one",
       .group = "softmax",
       .formula = "the first T - 1 tokens permuted: y[T - 1] unchanged, T >= 3",
       .why = "The last token sees all the others, and a weighted mean has no order. Windows, positional "
              "terms and tiles that are put "
              "together wrongly have one.",
       .blind_to = "all that treats the past alike",
       .long_sequences = true,
       .most_cases = kFewCases,
       .choices = {{"shift", [](const Extents& e) { return std::max<Index>(1, e.at("T") - 2); }}},
       .ask = ask_reordered,
       .judge = judge_reordered},
      {.id = "values/equal-tokens",
       .title = "where all tokens are alike, each output is their common value",
       .group = "projections",
       .formula = "x_0 = x_1 = ...: y_i = x_0 w_v w_o for every i",
       .why = "Weights that sum to 1 give a mean, and the mean of equal values is that value, whatever the "
              "weights are.",
       .blind_to = "queries, keys, scale and mask",
       .most_cases = kFewCases,
       .ask = ask_alike,
       .judge = judge_alike},
      {.id = "weights/equal-keys",
       .title = "two equal tokens get equal weights",
       .group = "softmax",
       .formula = "x_0 = x_1: A[g,i,0] = A[g,i,1] for i >= 2",
       .why = "Equal tokens have equal keys, so equal scores, so equal weights in every row that sees both.",
       .blind_to = "all that treats equal keys alike",
       .needs_weights = true,
       .long_sequences = true,
       .most_cases = kFewCases,
       .ask = ask_equal_keys,
       .judge = judge_equal_keys},
  };
}

}  // namespace attest
