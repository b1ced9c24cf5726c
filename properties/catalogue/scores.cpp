// Scores are query . key / sqrt(d_head). P13 and P15 together force the scale to be c d_head^(-1/2) without any number being
// known; P16 measures c.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <cmath>

namespace attest {
namespace {

// Does the answer look at the queries at all? With w_q = 0 all scores are 0 and the answer is another one. Asked with several sets
// of numbers, and not on shapes where a bug elsewhere can hide the difference: one head, one feature, a token that sees one other.
constexpr std::uint64_t kAttempts = 3;

std::vector<Question> ask_attend(const Subject& subject, const Case& c) {
  for (const auto& [symbol, extent] : c.free) {
    if (extent < (symbol == "T" ? 3 : 2)) return {};
  }
  std::vector<Question> questions;
  Case attempt = c;
  const auto add = [&](CaseInputs in) {
    questions.push_back(ask(subject, in));
    in.w_q.setZero();
    questions.push_back(ask(subject, in));
  };
  for (std::uint64_t i = 0; i < (c.literal ? 1 : kAttempts); ++i) {
    attempt.seed = c.seed + i;
    add(inputs_of(subject, attempt));
  }
  // Small tokens: other scores than dot products may leave no weight but one where tokens are large.
  for (const double factor : {1.0 / 8, 1.0 / 64}) {
    CaseInputs in = inputs_of(subject, c);
    in.x *= factor;
    add(std::move(in));
  }
  return questions;
}

Verdict judge_attend(const Subject& subject, const Case&, std::span<const Question> questions,
                     std::span<const Reply> replies) {
  std::optional<Evidence> deaf;
  for (std::size_t k = 0; k < questions.size(); k += 2) {
    const MatrixView y = y_of(replies[k]), y_without = y_of(replies[k + 1]);
    // Any change at all, in the last bit even, is an answer that looks at its queries; whether it is the right one, others say.
    bool finite = true;
    for (Index i = 0; i < y.rows(); ++i) {
      for (Index j = 0; j < y.cols(); ++j) {
        if (!std::isfinite(y(i, j)) || !std::isfinite(y_without(i, j))) {
          finite = false;
        } else if (y(i, j) != y_without(i, j)) {
          return Verdict::pass();
        }
      }
    }
    if (!finite) continue;  // it may depend on them where the numbers are missing
    const auto with = recall(questions[k], subject);
    const auto without = recall(questions[k + 1], subject);
    const Matrix rounding = with->y_error() + without->y_error();
    const Matrix change = (with->y() - without->y()).cwiseAbs();
    Index i = 0, j = 0;
    const double largest = change.maxCoeff(&i, &j);
    // A change of a twentieth and more: what a bug makes of it still stands out from rounding.
    if (deaf || !(largest > with->y().cwiseAbs().maxCoeff() / 20 && largest > 4 * rounding(i, j))) continue;
    Evidence e;
    e.tensor = "y";
    e.index = {i, j};
    e.expected = with->y()(i, j);
    e.actual = y(i, j);
    e.error = std::fabs(e.expected - e.actual);
    e.bound = with->y_error()(i, j);
    e.question = k;
    show(e, "y", with->y(), y);
    deaf = std::move(e);
  }
  if (!deaf) return Verdict::discard();
  const std::size_t question = deaf->question;
  return falsified(std::move(*deaf), "deaf", question, "the same call with w_q = 0 gives the same answer");
}

// P16. Two tokens with one feature each; only token 1's query and token 0's key are not 0, and their product is s. So row 1 is
// softmax(s / sqrt(d_head), 0) and ln(A10 / A11) / s is the scale. The last two features are used: read-out labels the first.
double strength(const Case& c) { return 1.0 + static_cast<double>(c.choice("strength")); }

std::vector<Question> ask_calibration(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  const Index d = in.d_model();
  if (d < 2) return {};
  in.x = Matrix::Zero(2, d);
  in.x(0, d - 2) = in.x(1, d - 1) = 1;
  in.w_q.setZero();
  in.w_k.setZero();
  for (Index g = 0; g < in.n_heads; ++g) {
    in.w_k(d - 2, g * in.d_k()) = strength(c);
    in.w_q(d - 1, g * in.d_k()) = 1;
  }
  return ask_weights(subject, in, 2);
}

Verdict judge_calibration(const Subject& subject, const Case& c, std::span<const Question> questions,
                          std::span<const Reply> replies) {
  const auto oracle = recall(questions[0], subject);
  const Expected& expected = *oracle;
  const Inputs<double>& in = expected.in;
  const ReadWeights weights = read_weights(subject, questions, replies, 2);
  const double scale = 1 / std::sqrt(static_cast<double>(in.d_k()));
  bool defined = true;
  for (std::size_t g = 0; g < weights.size(); ++g) {
    const double a = weights[g](1, 0), b = weights[g](1, 1);
    if (!(a > 0 && b > 0)) {  // no ratio: the mask or the softmax is wrong, which others say
      defined = false;
      continue;
    }
    const double slope = std::log(a / b) / strength(c);
    const double wa = expected.weights[g](1, 0), wb = expected.weights[g](1, 1);
    // d ln(a / b) = da / a + db / b, to first order; twice that covers the rest, for the bounds are far below the weights.
    const double bound =
        2 * (weight_bound(subject, expected, g, 1, 0) / wa + weight_bound(subject, expected, g, 1, 1) / wb) /
        strength(c);
    const double error = std::fabs(slope - scale);
    if (within(subject, slope, error, bound)) continue;
    Evidence e;
    e.tensor = "scale";
    e.index = {static_cast<Index>(g)};
    e.expected = scale;
    e.actual = slope;
    e.error = error;
    e.bound = bound;
    show(e, "weights", expected.weights, weights.view());
    if (subject.returns_weights) show(e, "y", expected.y(), y_of(replies[0]));
    return falsified(std::move(e), "scale", 0, "two tokens whose only non-zero score is known");
  }
  return defined ? Verdict::pass() : Verdict::discard();
}

// The same attention inside a larger one. Old column (g, j) of the queries and keys becomes column new_k(g) + j, and so on.
struct Embedding {
  Index heads, d_k, d_v, d_model;
};

// P13, P15: new heads and new places are zero. Where d_model is tied to the heads, x gets zero features.
Inputs<double> embed(const Inputs<double>& in, const Embedding& to) {
  Inputs<double> out;
  out.n_heads = to.heads;
  out.x = Matrix::Zero(in.tokens(), to.d_model);
  out.x.leftCols(in.d_model()) = in.x;
  out.w_q = Matrix::Zero(to.d_model, to.heads * to.d_k);
  out.w_k = out.w_q;
  out.w_v = Matrix::Zero(to.d_model, to.heads * to.d_v);
  if (in.has_output_projection()) out.w_o = Matrix::Zero(to.heads * to.d_v, to.d_model);
  for (Index g = 0; g < in.n_heads; ++g) {
    out.w_q.block(0, g * to.d_k, in.d_model(), in.d_k()) = in.w_q.middleCols(g * in.d_k(), in.d_k());
    out.w_k.block(0, g * to.d_k, in.d_model(), in.d_k()) = in.w_k.middleCols(g * in.d_k(), in.d_k());
    out.w_v.block(0, g * to.d_v, in.d_model(), in.d_v()) = in.w_v.middleCols(g * in.d_v(), in.d_v());
    if (in.has_output_projection()) {
      out.w_o.block(g * to.d_v, 0, in.d_v(), in.w_o.cols()) = in.w_o.middleRows(g * in.d_v(), in.d_v());
    }
  }
  return out;
}

// y of the larger attention begins with y of the smaller one.
Verdict judge_embedded(const Subject& subject, std::span<const Question> questions,
                       std::span<const Reply> replies, std::string_view kind, std::string transform) {
  const MatrixView y = y_of(replies[0]);
  const auto part = y_of(replies[1]).leftCols(y.cols());
  const auto smaller = recall(questions[0], subject);  // its bound will usually do, and is known
  if (identical(part, y) || !first_difference(subject, "y", part, y, pair_bound(subject, *smaller).y))
    return Verdict::pass();
  // The larger one's scores round at least as much, and its features are the smaller one's and zeros.
  const Matrix bound = pair_bound(subject, *recall(questions[1], subject)).y.leftCols(y.cols());
  auto e = first_difference(subject, "y", part, y, bound);
  if (!e) return Verdict::pass();
  const std::size_t wrong = show_the_wrong_one(*e, "y", smaller->y(), y, part);
  return falsified(std::move(*e), kind, wrong, std::move(transform));
}

std::vector<Question> ask_zero_heads(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  const Index heads = 2 * in.n_heads;
  return questions_in_order(ask(subject, in),
                            ask(subject, embed(in, {heads, in.d_k(), in.d_v(), heads * in.d_k()})));
}

Verdict judge_zero_heads(const Subject& subject, const Case&, std::span<const Question> questions,
                         std::span<const Reply> replies) {
  return judge_embedded(subject, questions, replies, "zero-heads", "twice as many heads, the new ones all 0");
}

// P14. Everything twice: x twice, block-diagonal weights.
Inputs<double> duplicate(const Inputs<double>& in) {
  const auto twice = [](const Matrix& m) {
    Matrix out = Matrix::Zero(2 * m.rows(), 2 * m.cols());
    out.topLeftCorner(m.rows(), m.cols()) = m;
    out.bottomRightCorner(m.rows(), m.cols()) = m;
    return out;
  };
  Inputs<double> out{Matrix(in.tokens(), 2 * in.d_model()),
                     twice(in.w_q),
                     twice(in.w_k),
                     twice(in.w_v),
                     twice(in.w_o),
                     2 * in.n_heads};
  out.x << in.x, in.x;
  return out;
}

std::vector<Question> ask_duplicated(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  return questions_in_order(ask(subject, in), ask(subject, duplicate(in)));
}

Verdict judge_duplicated(const Subject& subject, const Case&, std::span<const Question> questions,
                         std::span<const Reply> replies) {
  return judge_embedded(subject, questions, replies, "duplicated", "every head twice");
}

// P15. Heads four times as long, the new places 0: the dot products stay, sqrt(d_head) doubles, and w_q doubles against it.
std::vector<Question> ask_padded(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  const bool tied = has_heads(subject);  // d_model = n_heads d_head
  Inputs<double> padded = embed(
      in, {in.n_heads, 4 * in.d_k(), tied ? 4 * in.d_v() : in.d_v(), tied ? 4 * in.d_model() : in.d_model()});
  padded.w_q *= 2;
  return questions_in_order(ask(subject, in), ask(subject, padded));
}

Verdict judge_padded(const Subject& subject, const Case&, std::span<const Question> questions,
                     std::span<const Reply> replies) {
  return judge_embedded(subject, questions, replies, "padded",
                        "heads four times as long, filled with 0, and w_q doubled");
}

// P29. Ratios of weights are exponentials of differences of scores.
std::vector<Question> ask_ratios(const Subject& subject, const Case& c) { return ask_weights(subject, c); }

Verdict judge_ratios(const Subject& subject, const Case&, std::span<const Question> questions,
                     std::span<const Reply> replies) {
  const auto oracle = recall(questions[0], subject);
  const Expected& expected = *oracle;
  const Inputs<double>& in = expected.in;
  const ReadWeights weights = read_weights(subject, questions, replies);
  const double least = 1e-30;  // ordinary scores stay far above; anything less says nothing about a ratio
  for (std::size_t g = 0; g < weights.size(); ++g) {
    for (Index i = 0; i < in.tokens(); ++i) {
      for (Index j = 0; j < i; ++j) {
        const double wj = expected.weights[g](i, j), wi = expected.weights[g](i, i);
        const double bj = weight_bound(subject, expected, g, i, j),
                     bi = weight_bound(subject, expected, g, i, i);
        if (!(wj > least && wi > least && bj < wj / 4 && bi < wi / 4)) continue;
        const double difference = expected.scaled[g](i, j) - expected.scaled[g](i, i);
        const double ratio = std::log(weights[g](i, j) / weights[g](i, i));
        const double bound = 2 * (bj / wj + bi / wi);
        const double error = std::fabs(ratio - difference);
        if (within(subject, ratio, error, bound)) continue;
        Evidence e;
        e.tensor = "log-ratio";
        e.index = {static_cast<Index>(g), i, j};
        e.expected = difference;
        e.actual = ratio;
        e.error = error;
        e.bound = bound;
        show(e, "weights", expected.weights, weights.view());
        if (subject.returns_weights) show(e, "y", expected.y(), y_of(replies[0]));
        return falsified(std::move(e), "ratio", 0);
      }
    }
  }
  return Verdict::pass();
}

}  // namespace

std::vector<Property> score_properties() {
  return {
      {.id = "scores/attend",
       .title = "the answer depends on the queries",
       .group = "scale",
       .formula = "y(w_q) != y(0) wherever the two differ by more than rounding",
       .why = "Weights that come from queries and keys are what makes it attention. A mean over earlier "
              "tokens, the values "
              "themselves or zeros satisfy much of what holds of attention without attending to anything, so "
              "until this "
              "holds, the rest shows nothing.",
       .blind_to = "how the answer depends on them",
       .ask = ask_attend,
       .judge = judge_attend},
      {.id = "scores/scaled-by-d-head",
       .title = "scores are divided by the square root of d_head",
       .group = "scale",
       .formula = "x = [e_0; e_1], query_1 . key_0 = s: ln(A[g,1,0] / A[g,1,1]) / s = 1 / sqrt(d_head)",
       .why = "The dot product runs over the d_head numbers of one head, so that is the length whose growth "
              "is to be undone. The measured "
              "number names what was divided by instead: sqrt(d_model), d_head, nothing.",
       .blind_to = "the path of the values",
       .needs_weights = true,
       .choices = {{"strength", [](const Extents&) { return Index{2}; }}},
       .ask = ask_calibration,
       .judge = judge_calibration},
      {.id = "scores/zero-heads-added",
       .title = "adding heads that are zero changes nothing",
       .group = "scale",
       .formula = "x -> [x, 0], w -> blockdiag(w, 0), n_heads -> 2 n_heads: y[:, :d_model] unchanged",
       .why = "d_model and n_heads double, d_head stays. What changes with them depends on the wrong one of "
              "the three.",
       .blind_to = "a scale that depends on d_head only, right or wrong",
       .applies = has_heads,
       .ask = ask_zero_heads,
       .judge = judge_zero_heads},
      {.id = "scores/heads-duplicated",
       .title = "duplicating every head duplicates the output",
       .group = "scale",
       .formula = "x -> [x, x], w -> blockdiag(w, w), n_heads -> 2 n_heads: y -> [y, y]",
       .why = "Twice the same attention side by side gives twice the same output. d_model and n_heads "
              "double, d_head stays.",
       .blind_to = "a scale that depends on d_head only, right or wrong",
       .applies = has_heads,
       .ask = ask_duplicated,
       .judge = judge_duplicated},
      {.id = "scores/heads-padded",
       .title = "heads filled up with zeros behave as before, once w_q makes up for the scale",
       .group = "scale",
       .formula = "d_head -> 4 d_head with zeros, w_q -> 2 w_q: y unchanged",
       .why = "Zeros add nothing to a dot product, but sqrt(4 d_head) = 2 sqrt(d_head). Only a scale that "
              "falls as the square root of "
              "d_head is made up for by doubling w_q.",
       .blind_to = "a constant factor in the scale",
       .ask = ask_padded,
       .judge = judge_padded},
      {.id = "scores/log-ratios",
       .title = "the ratio of two weights is the exponential of the difference of their scores",
       .group = "scale",
       .formula = "ln(A[g,i,j] / A[g,i,i]) = (q_i . k_j - q_i . k_i) / sqrt(d_head), j < i",
       .why = "The normalisation cancels in a ratio, so this looks at queries, keys and scale and at nothing "
              "else. With rows that sum to "
              "1 and an upper triangle of 0 it determines the weights completely.",
       .blind_to = "the mask and the normalisation",
       .needs_weights = true,
       .prerequisites = {"weights/rows-sum-to-one", "weights/upper-triangle-zero"},
       .ask = ask_ratios,
       .judge = judge_ratios},
  };
}

}  // namespace attest
