// The softmax alone: (T, S) scores, each row for itself. Rows that sum to 1 and ratios that are exponentials of differences
// determine it; the rest says what goes wrong where.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"
#include "properties/right.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace attest {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix scores_of(const Subject& subject, const Case& c) {
  return get(materialise(*subject.spec, c, subject.dtype), "scores").matrix();
}

Question ask_scores(const Subject& subject, Matrix scores) {
  if (subject.dtype == Dtype::float32) scores = scores.cast<float>().cast<double>();
  return {{{"scores", Tensor::from(scores), false}}};
}

Matrix returned_weights(const Reply& reply) { return get(reply.results, "weights").matrix(); }

// Where the right weights stand beside those that came.
Verdict wrong_weights(const Subject& subject, std::span<const Question> questions,
                      std::span<const Reply> replies, std::size_t question, Evidence e, std::string_view kind,
                      std::string transform = {}) {
  if (e.tensor.empty()) e.tensor = "weights";
  compare_all(e, *right_answer(subject, questions[question]), replies[question].results);
  return falsified(std::move(e), kind, question, std::move(transform));
}

Verdict as_expected(const Subject& subject, std::span<const Question> questions,
                    std::span<const Reply> replies, std::size_t question, std::string_view kind,
                    std::string transform = {}) {
  auto e = first_wrong(subject, *right_answer(subject, questions[question]), replies[question].results);
  if (!e) return Verdict::pass();
  return falsified(std::move(*e), kind, question, std::move(transform));
}

std::vector<Question> ask_softmax(const Subject& subject, const Case& c) {
  return {ask_scores(subject, scores_of(subject, c))};
}

Verdict judge_softmax_rows(const Subject& subject, const Case&, std::span<const Question> questions,
                           std::span<const Reply> replies) {
  const Matrix scores = get(questions[0].arguments, "scores").matrix();
  const ExpectedSoftmax expected = expect_softmax(scores, subject.dtype);
  const Matrix w = returned_weights(replies[0]);
  for (Index i = 0; i < w.rows(); ++i) {
    const Wide sum = w.row(i).cast<Wide>().sum();
    const auto error = static_cast<double>(std::fabs(sum - 1));
    const double bound = sum > 1 ? expected.row_above(0, i) : expected.row_below(0, i);
    if (within(subject, static_cast<double>(sum), error, bound)) continue;
    Evidence e;
    e.index = {i};
    e.expected = 1;
    e.actual = static_cast<double>(sum);
    e.error = error;
    e.bound = bound;
    return wrong_weights(subject, questions, replies, 0, std::move(e), "sum");
  }
  return Verdict::pass();
}

Verdict judge_softmax_interval(const Subject& subject, const Case&, std::span<const Question> questions,
                               std::span<const Reply> replies) {
  const ExpectedSoftmax expected =
      expect_softmax(get(questions[0].arguments, "scores").matrix(), subject.dtype);
  const Matrix w = returned_weights(replies[0]);
  for (Index i = 0; i < w.rows(); ++i) {
    for (Index j = 0; j < w.cols(); ++j) {
      // A weight may exceed 1 by its own rounding, and never be negative at all.
      const double excess = std::max(-w(i, j), w(i, j) - 1);
      const double bound = w(i, j) < 0 ? 0 : expected.weight_error(i, j);
      if (within(subject, w(i, j), excess, bound)) continue;
      Evidence e;
      e.index = {i, j};
      e.expected = expected.weights(i, j);
      e.actual = w(i, j);
      e.error = excess;
      e.bound = bound;
      return wrong_weights(subject, questions, replies, 0, std::move(e), "interval");
    }
  }
  return Verdict::pass();
}

// One row asked alone gives what it gives among others.
std::vector<Question> ask_alone(const Subject& subject, const Case& c) {
  const Matrix scores = scores_of(subject, c);
  if (scores.rows() < 2) return {};
  const Index row = c.choice("row") % scores.rows();
  return {ask_scores(subject, scores), ask_scores(subject, scores.row(row))};
}

Verdict judge_alone(const Subject& subject, const Case& c, std::span<const Question> questions,
                    std::span<const Reply> replies) {
  const Matrix all = returned_weights(replies[0]), alone = returned_weights(replies[1]);
  const Index row = c.choice("row") % all.rows();
  const ExpectedSoftmax expected =
      expect_softmax(get(questions[1].arguments, "scores").matrix(), subject.dtype);
  for (Index j = 0; j < all.cols(); ++j) {
    const double error = std::fabs(all(row, j) - alone(0, j));
    const double bound = 2 * expected.weight_error(0, j);
    if (within(subject, error, error, bound)) continue;
    Evidence e;
    e.index = {row, j};
    e.expected = expected.weights(0, j);
    e.actual = all(row, j);
    e.error = error;
    e.bound = bound;
    return wrong_weights(subject, questions, replies, 0, std::move(e), "alone",
                         "the row, asked alone, gives other weights");
  }
  return Verdict::pass();
}

// A power of two up to 2^5 is added to every score of a row: exact in float32 too, for multiples of 2^-8.
std::vector<Question> ask_shifted(const Subject& subject, const Case& c) {
  Matrix scores = (scores_of(subject, c) * 256).array().round() / 256;
  Matrix shifted = scores;
  for (Index i = 0; i < scores.rows(); ++i) {
    const double shift = std::ldexp(1.0, 1 + static_cast<int>((c.choice("shift") + i) % 5));
    shifted.row(i).array() += (c.choice("shift") + i) % 2 == 0 ? shift : -shift;
  }
  return {ask_scores(subject, scores), ask_scores(subject, shifted)};
}

Verdict judge_shifted(const Subject& subject, const Case&, std::span<const Question> questions,
                      std::span<const Reply> replies) {
  const Matrix before = returned_weights(replies[0]), after = returned_weights(replies[1]);
  const ExpectedSoftmax expected =
      expect_softmax(get(questions[0].arguments, "scores").matrix(), subject.dtype);
  const ExpectedSoftmax moved = expect_softmax(get(questions[1].arguments, "scores").matrix(), subject.dtype);
  for (Index i = 0; i < before.rows(); ++i) {
    for (Index j = 0; j < before.cols(); ++j) {
      const double error = std::fabs(before(i, j) - after(i, j));
      // Whoever scales the scores rounds them at their new size, which is not what this is about.
      const double bound = expected.weight_error(i, j) + moved.weight_error(i, j) +
                           16 * 64 * precision(subject.dtype).unit_roundoff;
      if (within(subject, error, error, bound)) continue;
      Evidence e;
      e.index = {i, j};
      e.expected = expected.weights(i, j);
      e.actual = after(i, j);
      e.error = error;
      e.bound = bound;
      return wrong_weights(subject, questions, replies, 1, std::move(e), "shift",
                           "the same number added to a whole row");
    }
  }
  return Verdict::pass();
}

Verdict judge_softmax_ratios(const Subject& subject, const Case&, std::span<const Question> questions,
                             std::span<const Reply> replies) {
  const Matrix scores = get(questions[0].arguments, "scores").matrix();
  const ExpectedSoftmax expected = expect_softmax(scores, subject.dtype);
  const Matrix w = returned_weights(replies[0]);
  for (Index i = 0; i < w.rows(); ++i) {
    for (Index j = 1; j < w.cols(); ++j) {
      const double first = expected.weights(i, 0), other = expected.weights(i, j);
      const double relative = expected.weight_error(i, 0) / first + expected.weight_error(i, j) / other;
      if (!(relative < 0.25)) continue;
      const double difference = scores(i, j) - scores(i, 0);
      const double ratio = std::log(w(i, j) / w(i, 0));
      const double error = std::fabs(ratio - difference);
      if (within(subject, ratio, error, 2 * relative)) continue;
      Evidence e;
      e.tensor = "log-ratio";
      e.index = {i, j};
      e.expected = difference;
      e.actual = ratio;
      e.error = error;
      e.bound = 2 * relative;
      return wrong_weights(subject, questions, replies, 0, std::move(e), "ratio");
    }
  }
  return Verdict::pass();
}

// Some scores are -inf; the first of a row stays.
std::vector<Question> ask_hidden_scores(const Subject& subject, const Case& c) {
  Matrix scores = scores_of(subject, c);
  if (scores.cols() < 2) return {};
  for (Index i = 0; i < scores.rows(); ++i) {
    const Index seen = 1 + (c.choice("seen") + i) % (scores.cols() - 1);
    scores.row(i).tail(scores.cols() - seen).setConstant(-kInfinity);
  }
  return {ask_scores(subject, scores)};
}

Verdict judge_hidden_scores(const Subject& subject, const Case&, std::span<const Question> questions,
                            std::span<const Reply> replies) {
  return as_expected(subject, questions, replies, 0, "hidden", "some scores are -inf");
}

// Row i is multiplied until its largest score is 10^3 ... 10^30 (float32) or 10^300, of either sign; or moved down by as much,
// with one score hidden.
std::vector<Question> ask_large_scores(const Subject& subject, const Case& c) {
  constexpr std::array<double, 4> kLarge = {1e3, 1e5, 1e30, 1e300};
  Matrix scores = scores_of(subject, c);
  const double largest =
      kLarge.at(static_cast<std::size_t>(c.choice("power")) % (subject.dtype == Dtype::float32 ? 3 : 4));
  const Index last = scores.cols() - 1;
  for (Index i = 0; i < scores.rows(); ++i) {
    const double peak = scores.row(i).cwiseAbs().maxCoeff();
    if (c.choice("hidden") == 1 && last > 0) {  // -inf must stay below whatever is finite
      scores.row(i).array() -= largest;
      scores(i, last) = -kInfinity;
    } else if (peak == 0) {
      scores(i, 0) = largest;
    } else {
      scores.row(i) *= largest / peak;
    }
  }
  return {ask_scores(subject, scores)};
}

Verdict judge_large_scores(const Subject& subject, const Case&, std::span<const Question> questions,
                           std::span<const Reply> replies) {
  return as_expected(subject, questions, replies, 0, "large");
}

}  // namespace

std::vector<Property> softmax_properties() {
  std::vector<Property> all = {
      {.id = "softmax/rows-sum-to-one",
       .title = "every row sums to 1",
       .group = "softmax",
       .formula = "sum_j w[i, j] = 1",
       .why = "A row says how one token shares out its attention. Another axis, or a divisor that is not the "
              "row's own sum, "
              "shares out more or less than there is.",
       .blind_to = "how a row is shared out",
       .ask = ask_softmax,
       .judge = judge_softmax_rows},
      {.id = "softmax/in-unit-interval",
       .title = "every weight lies between 0 and 1",
       .group = "softmax",
       .formula = "0 <= w[i, j] <= 1",
       .why = "Weights are shares. Exponentials are positive and none is larger than the sum of all.",
       .blind_to = "everything that stays between 0 and 1",
       .ask = ask_softmax,
       .judge = judge_softmax_interval},
      {.id = "softmax/rows-stand-alone",
       .title = "a row gives the same weights alone as among other rows",
       .group = "softmax",
       .formula = "softmax(s)[i] = softmax(s[i:i+1])[0]",
       .why = "Each token decides for itself. If other rows change the answer, something was summed or "
              "compared across them.",
       .blind_to = "what is wrong within a row",
       .choices = {{"row", [](const Extents& extents) { return extents.at("T"); }}},
       .ask = ask_alone,
       .judge = judge_alone},
      {.id = "softmax/shift-invariant",
       .title = "adding the same number to a whole row changes nothing",
       .group = "softmax",
       .formula = "softmax(s + c) = softmax(s), c one number a row",
       .why = "exp(s + c) = exp(s) exp(c), and exp(c) cancels. That is what allows the maximum to be "
              "subtracted first; powers, "
              "absolute values and a softmax of a softmax do not have it.",
       .blind_to = "the base of the exponential and the scale",
       .choices = {{"shift", [](const Extents&) { return Index{10}; }}},
       .ask = ask_shifted,
       .judge = judge_shifted},
      {.id = "softmax/log-ratios",
       .title = "the logarithm of the ratio of two weights is the difference of their scores",
       .group = "softmax",
       .formula = "ln(w[i, j] / w[i, 0]) = s[i, j] - s[i, 0]",
       .why = "The sum cancels in a ratio, so this looks at the exponential alone: its base, its sign, a "
              "factor inside. With rows "
              "that sum to 1 it determines the softmax.",
       .blind_to = "the normalisation",
       .ask = ask_softmax,
       .judge = judge_softmax_ratios},
      {.id = "softmax/hidden-is-zero",
       .title = "a score of -inf gets the weight 0, and the others share as if it were not there",
       .group = "softmax",
       .formula = "s[i, j] = -inf: w[i, j] = 0, the rest is the softmax of the rest",
       .why = "exp(-inf) = 0 is how a mask hides. inf - inf and 0 * inf are NaN, which is what comes of -inf "
              "where the maximum is "
              "not the row's own.",
       .blind_to = "scores that are only very small",
       .choices = {{"seen", [](const Extents& extents) { return std::max<Index>(1, extents.at("S") - 1); }}},
       .ask = ask_hidden_scores,
       .judge = judge_hidden_scores},
      {.id = "softmax/large-scores",
       .title = "scores of any size give the right weights",
       .group = "numerics",
       .formula = "max_j |s[i, j]| = 1e3 ... 1e300: w as ever",
       .why = "exp overflows beyond 709 (88 in float32). Subtracting the row's own maximum first makes the "
              "largest exponent 0; the "
              "maximum of the whole matrix leaves other rows with nothing but zeros.",
       .blind_to = "ordinary magnitudes",
       .prerequisites = {"output/finite"},
       .choices = {{"power", [](const Extents&) { return Index{4}; }},
                   {"hidden", [](const Extents&) { return Index{2}; }}},
       .ask = ask_large_scores,
       .judge = judge_large_scores}};
  for (Property& property : all) property.subject = "softmax";
  return all;
}

}  // namespace attest
