// No token sees a later one: what comes after changes nothing.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <fmt/format.h>

namespace attest {
namespace {

// How many tokens are kept: 1 ... T - 1.
Index kept(const Case& c, Index tokens) { return 1 + c.choice("t") % std::max<Index>(1, tokens - 1); }

Index choices_of_t(const Extents& extents) { return std::max<Index>(1, extents.at("T") - 1); }

std::vector<Question> ask_truncated(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  if (in.tokens() < 2) return {};
  CaseInputs prefix = in;
  prefix.x = Matrix(in.x.topRows(kept(c, in.tokens())));
  return questions_in_order(ask(subject, in), ask(subject, prefix));
}

// P19. Far larger than what it replaces, so that even a weight of 1e-300 in the wrong place would show.
constexpr double kLoud = 1e6;

std::vector<Question> ask_replaced(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  if (in.tokens() < 2) return {};
  Case noise = c;
  noise.literal.reset();
  noise.zeroed.clear();
  noise.regime = Regime::integers;
  noise.seed = c.seed + 1;
  CaseInputs replaced = in;
  const Index t = kept(c, in.tokens());
  const Matrix loud = inputs_of(subject, noise).x;
  for (Index i = t; i < in.tokens(); ++i) {
    for (Index j = 0; j < in.d_model(); ++j) replaced.x(i, j) = kLoud * (loud(i, j) == 0 ? 1 : loud(i, j));
  }
  // What all tokens have in common stays so: otherwise the two calls would have other biases (Spec::ends_with_one).
  for (Index j = 0; subject.spec->ends_with_one && j < in.d_model(); ++j) {
    if ((in.x.col(j).array() == 1).all()) replaced.x.col(j).setOnes();
  }
  return questions_in_order(ask(subject, in), ask(subject, replaced));
}

// The weights of the first t tokens for the first t tokens, where weights are returned.
std::optional<Heads> corner_of(const Reply& reply, Index t) {
  const auto weights = weights_of(reply);
  if (!weights) return std::nullopt;
  Heads corners;
  for (std::size_t g = 0; g < weights->size(); ++g) corners.emplace_back((*weights)[g].topLeftCorner(t, t));
  return corners;
}

bool same_corner(const Reply& one, const Reply& other, Index t) {
  const auto w1 = weights_of(one), w2 = weights_of(other);
  bool same = true;
  for (std::size_t g = 0; w1 && w2 && g < w1->size(); ++g)
    same = same && identical((*w1)[g].topLeftCorner(t, t), (*w2)[g].topLeftCorner(t, t));
  return same;
}

// What hidden tokens may add to any row: a weight below the smallest normal number counts as 0 (Eigen's exp(-inf) is 5.6e-309), and what
// it weighs may be loud while all that is visible is 0. (1, d_out)
Matrix of_hidden(const Subject& subject, const Inputs<double>& in, Index t) {
  Matrix values = in.x.bottomRows(in.tokens() - t).cwiseAbs() * in.w_v.cwiseAbs();
  if (in.has_output_projection()) values = Matrix(values * in.w_o.cwiseAbs());
  return precision(subject.dtype).smallest_normal * values.colwise().sum();
}

// The first t rows of both answers are those of the same prefix.
Verdict same_prefix(const Subject& subject, std::span<const Question> questions,
                    std::span<const Reply> replies, Index t, std::string_view kind,
                    const std::string& transform) {
  const auto whole = y_of(replies[0]).topRows(t), other = y_of(replies[1]).topRows(t);
  if (identical(other, whole) && same_corner(replies[0], replies[1], t)) return Verdict::pass();
  Inputs<double> prefix = inputs_of(questions[0]);
  prefix.x = Matrix(prefix.x.topRows(t));
  const auto oracle = recall(ask(subject, prefix), subject);
  const Expected& expected = *oracle;  // for the bounds: they are those of the prefix, too
  const auto w1 = corner_of(replies[0], t), w2 = corner_of(replies[1], t);
  PairBound bound = pair_bound(subject, expected);
  for (const Question& question : questions)
    bound.y += of_hidden(subject, inputs_of(question), t).replicate(t, 1);
  if (auto e = first_difference(subject, "y", other, whole, bound.y)) {
    const std::size_t wrong = show_the_wrong_one(*e, "y", expected.y(), whole, other);
    e->largest_score = largest_visible_score(expected);
    return falsified(std::move(*e), std::string(kind) + "-y", wrong, transform);
  }
  if (!w1 || !w2) return Verdict::pass();
  bound.cover(*w1);
  bound.cover(*w2);
  if (auto e = first_difference_of_heads(subject, "weights", *w2, *w1, bound.weights)) {
    const std::size_t wrong = show_the_wrong_one(*e, "weights", expected.weights, *w1, *w2);
    e->largest_score = largest_visible_score(expected);
    return falsified(std::move(*e), std::string(kind) + "-weights", wrong, transform);
  }
  return Verdict::pass();
}

Index tokens_of(const Question& question) { return get(question.arguments, "x").dims[0]; }

Verdict judge_truncated(const Subject& subject, const Case&, std::span<const Question> questions,
                        std::span<const Reply> replies) {
  const Index t = tokens_of(questions[1]);
  return same_prefix(subject, questions, replies, t, "truncated",
                     fmt::format("only the first {} of {} tokens", t, tokens_of(questions[0])));
}

Verdict judge_replaced(const Subject& subject, const Case& c, std::span<const Question> questions,
                       std::span<const Reply> replies) {
  const Index t = kept(c, tokens_of(questions[0]));
  return same_prefix(subject, questions, replies, t, "replaced",
                     fmt::format("tokens from {} on replaced by numbers a million times as large", t));
}

// P19, as a warning. A weight of 0 hides every number but this one: 0 times NaN is NaN.
std::vector<Question> ask_hidden_nan(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  if (in.tokens() < 2) return {};
  const Index later = in.tokens() - kept(c, in.tokens());
  in.x.bottomRows(later).setConstant(std::numeric_limits<double>::quiet_NaN());
  return questions_in_order(ask(subject, in));
}

Verdict judge_hidden_nan(const Subject& subject, const Case& c, std::span<const Question>,
                         std::span<const Reply> replies) {
  const CaseInputs in = inputs_of(subject, c);  // before later tokens became NaN
  const auto right = recall(ask(subject, in), subject);
  const MatrixView y = y_of(replies[0]);
  const Index t = kept(c, in.tokens());
  for (Index i = 0; i < t; ++i) {
    for (Index j = 0; j < y.cols(); ++j) {
      if (std::isfinite(y(i, j))) continue;
      Evidence e;
      e.tensor = "y";
      e.index = {i, j};
      e.expected = right->y()(i, j);
      e.actual = y(i, j);
      e.error = std::numeric_limits<double>::infinity();
      show(e, "y", right->y().topRows(t), y.topRows(t));
      return falsified(std::move(e), "nan", 0,
                       fmt::format("all features of the tokens from {} on are NaN", t));
    }
  }
  return Verdict::pass();
}

}  // namespace

std::vector<Property> causality_properties() {
  return {
      {.id = "causality/truncation-invariance",
       .title = "cutting the sequence short leaves the earlier outputs unchanged",
       .group = "mask",
       .formula = "f(x[:t]).y = f(x).y[:t], and the weights likewise",
       .why = "If no token sees a later one, the later ones can be taken away. This is causality itself, as "
              "a property of outputs: it "
              "needs no weights and no idea of how the mask is made.",
       .blind_to = "anything that is wrong in the same way at every length, such as the scale",
       .long_sequences = true,
       .choices = {{"t", choices_of_t}},
       .ask = ask_truncated,
       .judge = judge_truncated},
      {.id = "causality/future-tokens-replaced",
       .title = "replacing later tokens leaves the earlier outputs unchanged",
       .group = "mask",
       .formula = "x[t:] replaced by 1e6 times noise: y[:t] unchanged",
       .why = "The length stays, the future changes, and it is loud: a hidden score that enters a maximum, "
              "or a weight that is merely "
              "small, is multiplied by a million. Only a mask that really hides passes.",
       .blind_to = "anything that does not depend on later tokens",
       .long_sequences = true,
       .choices = {{"t", choices_of_t}},
       .ask = ask_replaced,
       .judge = judge_replaced},
      {.id = "causality/hidden-nan",
       .title = "NaN in later tokens does not reach earlier outputs",
       .group = "mask",
       .formula = "x[t:] = NaN: y[:t] finite",
       .why =
           "What is hidden should not matter, whatever it is: padding that nobody initialised may be NaN. A "
           "weight of 0 does not hide it, "
           "for 0 times NaN is NaN, and NaN minus infinity is NaN, too. On numbers the plain formula is "
           "right, so this is a warning "
           "and costs nothing.",
       .blind_to = "everything but NaN",
       .prerequisites = {"output/finite", "weights/upper-triangle-zero", "causality/truncation-invariance",
                         "causality/future-tokens-replaced"},
       .warning = true,
       .most_cases = 12,  // the fixed shapes
       .choices = {{"t", choices_of_t}},
       .ask = ask_hidden_nan,
       .judge = judge_hidden_nan},
  };
}

}  // namespace attest
