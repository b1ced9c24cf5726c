// What belongs to the query and what to the key, seen one at a time; and what a steep softmax must choose.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attest {
namespace {

constexpr double kLeastWeight = 1e-30;  // what is smaller says nothing about a ratio

// P12. Twice the query, twice the difference of scores.
std::vector<Question> ask_steeper(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  if (in.tokens() < 2) return {};
  CaseInputs steeper = in;
  steeper.w_q *= 2;
  std::vector<Question> questions = ask_weights(subject, in);
  for (Question& q : ask_weights(subject, steeper)) questions.push_back(std::move(q));
  return questions;
}

Verdict judge_steeper(const Subject& subject, const Case&, std::span<const Question> questions,
                      std::span<const Reply> replies) {
  const std::size_t half = questions.size() / 2;
  const auto once = recall(questions[0], subject), twice = recall(questions[half], subject);
  const ReadWeights gentle = read_weights(subject, questions.first(half), replies.first(half));
  const ReadWeights steep = read_weights(subject, questions.subspan(half), replies.subspan(half));
  for (std::size_t g = 0; g < gentle.size(); ++g) {
    for (Index i = 1; i < gentle[g].rows(); ++i) {
      for (Index j = 0; j < i; ++j) {
        double bound = 0;
        bool clear = true;
        const auto relative = [&](const Expected& expected, Index k) {
          const double w = expected.weights[g](i, k), b = weight_bound(subject, expected, g, i, k);
          clear = clear && w > kLeastWeight && b < w / 8;
          return 4 * b / w;
        };
        for (const Index k : {i, j}) bound += 2 * relative(*once, k) + relative(*twice, k);
        const double flat = std::log(gentle[g](i, j) / gentle[g](i, i));
        const double slope = std::log(steep[g](i, j) / steep[g](i, i));
        // Wrong scores may be larger than right ones, and round accordingly; of weights that vanish there is no ratio.
        if (!clear || !std::isfinite(flat) || !std::isfinite(slope) || std::fabs(slope) > 2 * kOrdinaryScore)
          continue;
        const double error = std::fabs(slope - 2 * flat);
        bound += 1e3 * precision(subject.dtype).unit_roundoff * (1 + std::fabs(slope));
        if (within(subject, slope, error, bound)) continue;
        Evidence e;
        e.tensor = "log-ratio";
        e.index = {static_cast<Index>(g), i, j};
        e.expected = 2 * flat;
        e.actual = slope;
        e.error = error;
        e.bound = bound;
        show(e, "weights", twice->weights, steep.view());
        return falsified(std::move(e), "steeper", half, "w_q twice as large");
      }
    }
  }
  return Verdict::pass();
}

// P21. Feature 0 says how large a key is, feature 1 is 1 for all and makes the queries. Neighbouring scores are kGap / sqrt(d_k) apart, so
// that exp of their difference is 0 in either precision, and none exceeds 1e6.
constexpr double kGap = 2e4;
constexpr Index kMostTokens = 40;

std::vector<Question> ask_largest(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  const Index n = in.tokens(), d = in.d_model();
  if (d < 2 || n > kMostTokens) return {};
  const Index step = 1 + c.choice("step");
  for (Index j = 0; j < n; ++j) in.x(j, 0) = static_cast<double>((j * step + c.choice("first")) % 41);
  if (c.choice("sign") == 1) in.x.col(0).array() -= 41;
  in.x.col(1).setOnes();
  in.w_q.setZero();
  in.w_k.setZero();
  for (Index g = 0; g < in.n_heads; ++g) {
    in.w_q(1, g * in.d_k()) = kGap;
    in.w_k(0, g * in.d_k()) = 1;
  }
  return questions_in_order(ask(subject, in));
}

Verdict judge_largest(const Subject& subject, const Case&, std::span<const Question> questions,
                      std::span<const Reply> replies) {
  const auto oracle = recall(questions[0], subject);
  const Inputs<double>& in = oracle->in;
  const Matrix values = values_alone(in);
  Matrix expected(in.tokens(), values.cols());
  Index largest = 0;
  for (Index i = 0; i < in.tokens(); ++i) {
    if (in.x(i, 0) > in.x(largest, 0)) largest = i;
    expected.row(i) = values.row(largest);
  }
  const MatrixView y = y_of(replies[0]);
  auto e = first_difference(subject, "y", y, expected, oracle->y_error());
  if (!e) return Verdict::pass();
  e->largest_score = largest_visible_score(*oracle);
  show(*e, "y", expected, y);
  if (const auto weights = weights_of(replies[0])) show(*e, "weights", oracle->weights, *weights);
  return falsified(std::move(*e), "largest", 0, "each key far larger or smaller than the next");
}

// P22, P23. The first feature feeds one of the two only; it changes for one token.
CaseInputs with_feature(const CaseInputs& in, bool of_query) {
  CaseInputs out = in;
  out.w_v.row(0).setZero();
  (of_query ? out.w_k : out.w_q).row(0).setZero();
  return out;
}

CaseInputs louder(const CaseInputs& in, Index token) {
  CaseInputs out = in;
  out.x(token, 0) = in.x(token, 0) + 1;
  return out;
}

std::vector<Question> ask_query_only(const Subject& subject, const Case& c) {
  const CaseInputs in = with_feature(inputs_of(subject, c), true);
  if (in.d_model() < 2 || in.tokens() < 2 || subject.spec->ends_with_one) return {};
  return questions_in_order(ask(subject, in), ask(subject, louder(in, c.choice("token") % in.tokens())));
}

// Rows other than `token` (all, or those before it) are the same in both answers.
Verdict judge_other_rows(const Subject& subject, std::span<const Question> questions,
                         std::span<const Reply> replies, Index token, bool only_before, std::string_view kind,
                         std::string transform) {
  const MatrixView y = y_of(replies[0]), other = y_of(replies[1]);
  const Index after = only_before ? 0 : y.rows() - token - 1;
  if (identical(other.topRows(token), y.topRows(token)) &&
      identical(other.bottomRows(after), y.bottomRows(after)))
    return Verdict::pass();
  const auto oracle = recall(questions[0], subject), changed = recall(questions[1], subject);
  Matrix bound = pair_bound(subject, *oracle).y + pair_bound(subject, *changed).y;
  const double anything = std::numeric_limits<double>::infinity();
  if (only_before) {
    bound.bottomRows(y.rows() - token).setConstant(anything);
  } else {
    bound.row(token).setConstant(anything);
  }
  auto e = first_difference(subject, "y", other, y, bound);
  if (!e) return Verdict::pass();
  const std::size_t wrong = show_the_wrong_one(*e, "y", oracle->y(), y, other);
  if (wrong == 1) show(*e, "y", changed->y(), other);
  return falsified(std::move(*e), kind, wrong, std::move(transform));
}

Verdict judge_query_only(const Subject& subject, const Case& c, std::span<const Question> questions,
                         std::span<const Reply> replies) {
  const Index token = c.choice("token") % y_of(replies[0]).rows();
  return judge_other_rows(subject, questions, replies, token, false, "query-only",
                          fmt::format("a feature of token {} that only its query uses, changed", token));
}

std::vector<Question> ask_key_only(const Subject& subject, const Case& c) {
  const CaseInputs in = with_feature(inputs_of(subject, c), false);
  if (in.d_model() < 2 || in.tokens() < 2 || subject.spec->ends_with_one) return {};
  return questions_in_order(ask(subject, in),
                            ask(subject, louder(in, 1 + c.choice("token") % (in.tokens() - 1))));
}

Verdict judge_key_only(const Subject& subject, const Case& c, std::span<const Question> questions,
                       std::span<const Reply> replies) {
  const Index token = 1 + c.choice("token") % (y_of(replies[0]).rows() - 1);
  return judge_other_rows(subject, questions, replies, token, true, "key-only",
                          fmt::format("a feature of token {} that only its key uses, changed", token));
}

// P23, of the weights: a row shares out 1, so what one key gains all others lose in proportion. The last feature is the key's, for
// read-out labels the first.
Index changed_key(const Case& c, Index tokens) { return c.choice("token") % (tokens - 1); }

std::vector<Question> ask_others(const Subject& subject, const Case& c) {
  CaseInputs in = inputs_of(subject, c);
  if (in.d_model() < 2 || in.tokens() < 3 || subject.spec->ends_with_one) return {};
  const Index last = in.d_model() - 1;
  in.w_q.row(last).setZero();
  in.w_v.row(last).setZero();
  CaseInputs changed = in;
  changed.x(changed_key(c, in.tokens()), last) += 1;
  std::vector<Question> questions = ask_weights(subject, in);
  for (Question& q : ask_weights(subject, changed)) questions.push_back(std::move(q));
  return questions;
}

// All ratios of a row hold if those to one column do: its largest, for the least is lost there. a_k / a_l = b_k / b_l is compared
// as a_k b_l = b_k a_l, whose bound is that of products: |d(a b)| <= |a| db + |b| da + da db.
Verdict judge_others(const Subject& subject, const Case& c, std::span<const Question> questions,
                     std::span<const Reply> replies) {
  const std::size_t half = questions.size() / 2;
  const auto oracle = recall(questions[0], subject), changed = recall(questions[half], subject);
  const ReadWeights before = read_weights(subject, questions.first(half), replies.first(half));
  const ReadWeights after = read_weights(subject, questions.subspan(half), replies.subspan(half));
  PairBound bound = pair_bound(subject, *oracle), bound_after = pair_bound(subject, *changed);
  bound.cover(before);
  bound_after.cover(after);
  const Index key = changed_key(c, before[0].rows());
  for (std::size_t g = 0; g < before.size(); ++g) {
    for (Index i = std::max<Index>(2, key + 1); i < before[g].rows(); ++i) {  // these see two others
      Index most = key == 0 ? 1 : 0;
      for (Index k = 0; k <= i; ++k) {
        if (k != key && before[g](i, k) > before[g](i, most)) most = k;
      }
      const double a_l = before[g](i, most), b_l = after[g](i, most);
      const double da_l = bound.weights[g](i, most), db_l = bound_after.weights[g](i, most);
      if (a_l == 0) continue;  // all weight is on the key that changes
      for (Index k = 0; k <= i; ++k) {
        const double a_k = before[g](i, k), b_k = after[g](i, k);
        const double da_k = bound.weights[g](i, k), db_k = bound_after.weights[g](i, k);
        const double error = std::fabs(b_k * a_l - a_k * b_l);
        const double allowed = std::fabs(b_k) * da_l + std::fabs(a_l) * db_k + db_k * da_l +
                               std::fabs(a_k) * db_l + std::fabs(b_l) * da_k + da_k * db_l;
        if (k == key || within(subject, b_k, error, allowed)) continue;
        Evidence e;
        e.tensor = "weights";
        e.index = {static_cast<Index>(g), i, k};
        e.expected = a_k * (b_l / a_l);
        e.actual = b_k;
        e.error = error / std::fabs(a_l);
        e.bound = allowed / std::fabs(a_l);
        show(e, "weights", changed->weights, after.view());
        return falsified(std::move(e), "others", half,
                         fmt::format("a feature of token {} that only its key uses, changed", key));
      }
    }
  }
  return Verdict::pass();
}

Index any_token(const Extents& e) { return e.at("T"); }

}  // namespace

std::vector<Property> separation_properties() {
  return {
      {.id = "scores/steeper-queries",
       .title = "twice the queries, twice the logarithm of a ratio of weights",
       .group = "scale",
       .formula = "w_q -> 2 w_q: ln(A[g,i,j] / A[g,i,i]) -> twice as much, j < i",
       .why = "Scores are linear in the queries and a softmax turns their differences into ratios. A weight "
              "that is made by anything "
              "else than an exponential of scores does not double.",
       .blind_to = "the constant in the scale",
       .needs_weights = true,
       .prerequisites = {"weights/rows-sum-to-one", "weights/upper-triangle-zero"},
       .most_cases = kFewCases,
       .ask = ask_steeper,
       .judge = judge_steeper},
      {.id = "scores/query-only-feature",
       .title = "a feature that only queries use changes its own row only",
       .group = "scale",
       .formula = "rows 0 of w_k and w_v zero: x[i, 0] changed, y[k] unchanged for k != i",
       .why = "Row i of the answer belongs to query i. If another row changes, queries and keys have changed "
              "places.",
       .blind_to = "the scale, the values",
       .most_cases = kFewCases,
       .choices = {{"token", any_token}},
       .ask = ask_query_only,
       .judge = judge_query_only},
      {.id = "scores/key-only-feature",
       .title = "a feature that only keys use leaves earlier rows alone",
       .group = "scale",
       .formula = "rows 0 of w_q and w_v zero: x[j, 0] changed, y[k] unchanged for k < j",
       .why = "A key matters to the queries that may see it, and to no other.",
       .blind_to = "the scale, the values",
       .most_cases = kFewCases,
       .choices = {{"token", any_token}},
       .ask = ask_key_only,
       .judge = judge_key_only},
      {.id = "scores/ratios-of-others",
       .title = "when one key changes, the other weights keep their ratios",
       .group = "scale",
       .formula =
           "rows -1 of w_q and w_v zero: x[j, -1] changed, A[g,i,k] / A[g,i,l] unchanged for i > j and "
           "k, l != j",
       .why = "A softmax divides all of a row by one sum: what one key gains, all others lose in proportion. "
              "Weights that are averaged "
              "over heads, normalised in pieces or cut off by rank do not.",
       .blind_to = "the scale, the mask, the values, what the sum runs over",
       .needs_weights = true,
       .most_cases = 20,
       .choices = {{"token", any_token}},
       .ask = ask_others,
       .judge = judge_others},
      {.id = "numerics/largest-key-wins",
       .title = "where scores are far apart, the largest visible one takes all the weight",
       .group = "numerics",
       .formula = "scores s_j 2e4 / sqrt(d_head), s_j different integers: y_i = value of the token with the "
                  "largest s_j, j <= i",
       .why = "exp of such a difference is 0, so the softmax is a choice. What clips scores, overflows, "
              "rounds them or prefers a fixed "
              "number to those far below 0 chooses otherwise.",
       .blind_to = "ordinary magnitudes",
       .prerequisites = {"output/finite", "values/first-row"},
       .most_cases = kFewCases,
       .choices = {{"step", [](const Extents&) { return Index{40}; }},
                   {"first", [](const Extents&) { return Index{41}; }},
                   {"sign", [](const Extents&) { return Index{2}; }}},
       .ask = ask_largest,
       .judge = judge_largest},
  };
}

}  // namespace attest
