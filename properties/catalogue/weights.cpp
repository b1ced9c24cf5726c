// The weights as a table: what every row, every column and every entry of A[g] must be. R, U and the log-ratios of scores.cpp
// determine A; with P4 (values/mix-of-weights) they determine y. Proof: by the log-ratios, the visible entries of a row are
// proportional to exp(score); by U the others are 0; by R the factor is 1 / sum exp(score). That is the softmax of the masked,
// scaled scores, and P4 is the rest of the definition. So these four are causal attention, without a reference.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

std::vector<Question> ask_table(const Subject& subject, const Case& c) { return ask_weights(subject, c); }

// What is shown with every failure of this family.
Verdict fail_table(Evidence e, std::string_view kind, const Subject& subject, std::span<const Reply> replies,
                   const Expected& expected, const HeadsView& weights, std::string transform = {}) {
  show(e, "weights", expected.weights, weights);
  if (subject.returns_weights) show(e, "y", expected.y(), y_of(replies[0]));
  e.largest_score = largest_visible_score(expected);
  return falsified(std::move(e), kind, 0, std::move(transform));
}

// The bound of a row's sum, as if the row saw all tokens: a wrong mask sums up more terms, and that rounding is not what it is to be
// told of.
double most(const MatrixView& of_rows, Index head, Index row) {
  double bound = of_rows(head, row);
  for (Index i = 0; i < of_rows.cols(); ++i) {
    if (!std::isinf(of_rows(head, i))) bound = std::max(bound, of_rows(head, i));
  }
  return bound;
}

Verdict judge_rows(const Subject& subject, const Case&, std::span<const Question> questions,
                   std::span<const Reply> replies) {
  const auto oracle = recall(questions[0], subject);
  const Expected& expected = *oracle;
  const Inputs<double>& in = expected.in;
  const ReadWeights weights = read_weights(subject, questions, replies);
  for (std::size_t g = 0; g < weights.size(); ++g) {
    for (Index i = 0; i < in.tokens(); ++i) {
      Wide sum = 0;
      double carried = 0;
      for (Index j = 0; j < in.tokens(); ++j) {
        sum += static_cast<Wide>(weights[g](i, j));
        carried +=
            weight_bound(subject, expected, g, i, j) - expected.weight_error[g](i, j);  // 0 when returned
      }
      const auto head = static_cast<Index>(g);
      const double bound = most(sum > 1 ? expected.row_above() : expected.row_below(), head, i) + carried;
      const auto error = static_cast<double>(std::fabs(sum - 1));
      if (within(subject, static_cast<double>(sum), error, bound)) continue;
      Evidence e;
      e.tensor = "weights";
      e.index = {head, i};
      e.expected = 1;
      e.actual = static_cast<double>(sum);
      e.error = error;
      e.bound = bound;
      return fail_table(std::move(e), "row-sum", subject, replies, expected, weights);
    }
  }
  return Verdict::pass();
}

Verdict judge_interval(const Subject& subject, const Case&, std::span<const Question> questions,
                       std::span<const Reply> replies) {
  const ReadWeights weights = read_weights(subject, questions, replies);
  bool inside = true;
  for (std::size_t g = 0; g < weights.size(); ++g)
    inside = inside && (weights[g].array() >= 0).all() && (weights[g].array() <= 1).all();
  if (inside) return Verdict::pass();
  const auto oracle = recall(questions[0], subject);
  const Expected& expected = *oracle;
  const Inputs<double>& in = expected.in;
  const double tiny = precision(subject.dtype).smallest_normal;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    for (Index i = 0; i < in.tokens(); ++i) {
      for (Index j = 0; j < in.tokens(); ++j) {
        const double w = weights[g](i, j);
        // No correct softmax is negative: exponentials are not. Above 1 only by the rounding of the row.
        const double bound =
            w < 0 ? tiny
                  : expected.row_above()(static_cast<Index>(g), i) + weight_bound(subject, expected, g, i, j);
        const double error = w < 0 ? -w : w - 1;
        if (within(subject, w, error, bound)) continue;
        Evidence e;
        e.tensor = "weights";
        e.index = {static_cast<Index>(g), i, j};
        e.expected = w < 0 ? 0 : 1;
        e.actual = weights[g](i, j);
        e.error = error;
        e.bound = bound;
        return fail_table(std::move(e), w < 0 ? "negative" : "above-one", subject, replies, expected,
                          weights);
      }
    }
  }
  return Verdict::pass();
}

Verdict judge_triangle(const Subject& subject, const Case&, std::span<const Question> questions,
                       std::span<const Reply> replies) {
  const ReadWeights weights = read_weights(subject, questions, replies);
  // Exactly zero, but for what is below the smallest normal number: Eigen's vectorised exp(-inf) is a subnormal.
  const double tiny = precision(subject.dtype).smallest_normal;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    for (Index i = 0; i < weights[g].rows(); ++i) {
      for (Index j = i + 1; j < weights[g].cols(); ++j) {
        const double error = std::fabs(weights[g](i, j));
        if (within(subject, weights[g](i, j), error, tiny)) continue;
        Evidence e;
        e.tensor = "weights";
        e.index = {static_cast<Index>(g), i, j};
        e.actual = weights[g](i, j);
        e.error = error;
        return fail_table(std::move(e), "hidden", subject, replies, *recall(questions[0], subject), weights);
      }
    }
  }
  return Verdict::pass();
}

// P2. Without a query all scores are 0 and a row is uniform over what it may see: 1 / (i + 1). Where there are more tokens than can be
// read out, y shows it: the mean of the values so far.
std::vector<Question> ask_uniform(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  in.w_q.setZero();
  if (too_long_to_read(subject, in)) return questions_in_order(ask(subject, in));
  return ask_weights(subject, in);
}

Verdict judge_means(const Subject& subject, const Question& question, const Reply& reply) {
  const auto oracle = recall(question, subject);
  const MatrixView y = y_of(reply);
  const Matrix values = values_alone(oracle->in);
  Matrix means(values.rows(), values.cols());
  MatrixOf<Wide> sum = MatrixOf<Wide>::Zero(1, values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    sum += values.row(i).cast<Wide>();
    means.row(i) = (sum / static_cast<Wide>(i + 1)).cast<double>();
  }
  auto e = first_difference(subject, "y", y, means, oracle->y_error());
  if (!e) return Verdict::pass();
  show(*e, "y", means, y);
  return falsified(std::move(*e), "mean", 0, "w_q = 0");
}

Verdict judge_uniform(const Subject& subject, const Case&, std::span<const Question> questions,
                      std::span<const Reply> replies) {
  if (!subject.returns_weights && too_long_to_read(subject, inputs_of(questions[0])))
    return judge_means(subject, questions[0], replies[0]);
  std::shared_ptr<const Expected> oracle;  // where it is needed: most weights come out exactly
  const ReadWeights weights = read_weights(subject, questions, replies);
  for (std::size_t g = 0; g < weights.size(); ++g) {
    for (Index i = 0; i < weights[g].rows(); ++i) {
      for (Index j = 0; j <= i; ++j) {  // the hidden entries are another property's
        const double even = 1 / static_cast<double>(i + 1);
        const double error = std::fabs(weights[g](i, j) - even);
        if (error == 0) continue;
        if (!oracle) oracle = recall(questions[0], subject);
        const double bound = weight_bound(subject, *oracle, g, i, j);
        if (within(subject, weights[g](i, j), error, bound)) continue;
        Evidence e;
        e.tensor = "weights";
        e.index = {static_cast<Index>(g), i, j};
        e.expected = even;
        e.actual = weights[g](i, j);
        e.error = error;
        e.bound = bound;
        return fail_table(std::move(e), "uniform", subject, replies, *oracle, weights, "w_q = 0");
      }
    }
  }
  return Verdict::pass();
}

}  // namespace

std::vector<Property> weight_properties() {
  return {
      {.id = "weights/rows-sum-to-one",
       .title = "every row of the weights sums to 1",
       .group = "softmax",
       .formula = "sum_j A[g, i, j] = 1",
       .why = "A token's output is an average of values, so its weights share out exactly 1. Rows that sum "
              "to less come from a mask "
              "applied after the softmax or a softmax along another axis; their outputs shrink, most of all "
              "at early positions.",
       .blind_to = "how the 1 is shared out",
       .needs_weights = true,
       .long_sequences = true,
       .ask = ask_table,
       .judge = judge_rows},
      {.id = "weights/in-unit-interval",
       .title = "every weight is between 0 and 1",
       .group = "softmax",
       .formula = "0 <= A[g, i, j] <= 1",
       .why = "A softmax is a ratio of an exponential, which is positive, to a sum that contains it. A "
              "negative weight or one above 1 was "
              "never normalised.",
       .blind_to = "rows that are normalised over the wrong terms",
       .needs_weights = true,
       .ask = ask_table,
       .judge = judge_interval},
      {.id = "weights/upper-triangle-zero",
       .title = "no token gives weight to a later one",
       .group = "mask",
       .formula = "A[g, i, j] = 0 for j > i, exactly",
       .why = "exp(-inf) is exactly 0, so a masked weight is 0 and not merely small. Anything else up there "
              "is the future leaking: a mask "
              "that is missing, shifted by one, transposed or of a finite size.",
       .blind_to = "what happens below the diagonal",
       .needs_weights = true,
       .long_sequences = true,
       .ask = ask_table,
       .judge = judge_triangle},
      {.id = "weights/uniform-when-query-is-zero",
       .title = "equal scores share the weight equally among the visible tokens",
       .group = "softmax",
       .formula = "w_q = 0: A[g, i, j] = 1 / (i + 1) for j <= i, so y_i = mean of x_j w_v w_o over j <= i",
       .why = "With no query every score is 0, whatever the scale: row i must be 1/(i+1) on the i + 1 tokens "
              "that it may see. What it is "
              "instead tells which terms the softmax has counted.",
       .blind_to = "queries, keys and the scale",
       .needs_weights = true,
       .long_sequences = true,
       .ask = ask_uniform,
       .judge = judge_uniform},
  };
}

}  // namespace attest
