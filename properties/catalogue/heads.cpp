// Every head its own block of columns, from the projection to the concatenation.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"

namespace attest {
namespace {

Index value_columns(const Extents& e) { return e.contains("d_model") ? e.at("d_model") : 1; }
Index heads_of(const Extents& e) { return e.contains("n_heads") ? e.at("n_heads") : 1; }

// P6. Only column `column` of w_v and row `row` of w_o: y must vanish unless they are the same feature. And for one token, where
// the weight is 1, the one that remains is known.
std::vector<Question> ask_influence(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  const Index n = in.w_v.cols();
  if (n < 2) return {};
  const Index column = c.choice("column") % n, row = (column + 1 + c.choice("distance") % (n - 1)) % n;
  const auto only = [&](Index keep_column, Index keep_row) {
    CaseInputs one = in;
    one.w_v.setZero();
    one.w_v.col(keep_column) = in.w_v.col(keep_column);
    one.w_o.setZero();
    one.w_o.row(keep_row) = in.w_o.row(keep_row);
    return one;
  };
  CaseInputs same = only(column, column);
  same.x = Matrix(same.x.topRows(1));
  return questions_in_order(ask(subject, only(column, row)), ask(subject, same));
}

Verdict judge_influence(const Subject& subject, const Case&, std::span<const Question> questions,
                        std::span<const Reply> replies) {
  const MatrixView apart = y_of(replies[0]);
  const Matrix zero = Matrix::Zero(apart.rows(), apart.cols());
  if (!identical(apart, zero)) {
    if (auto e = first_difference(subject, "y", apart, zero, recall(questions[0], subject)->y_error())) {
      show(*e, "y", zero, apart);
      return falsified(std::move(*e), "crosses", 0, "one column of w_v and another row of w_o, all else 0");
    }
  }
  const auto oracle_of_one = recall(questions[1], subject);
  const Inputs<double>& one = oracle_of_one->in;
  const Matrix own = values_alone(one);
  const MatrixView y = y_of(replies[1]);
  if (auto e = first_difference(subject, "y", y, own, oracle_of_one->y_error())) {
    show(*e, "y", own, y);
    return falsified(std::move(*e), "lost", 1,
                     "one column of w_v and the same row of w_o, all else 0; one token");
  }
  return Verdict::pass();
}

// P7. Another w_q for one head changes the weights of that head only.
CaseInputs change_block(const CaseInputs& in, Index g) {
  CaseInputs changed = in;
  changed.w_q.middleCols(g * in.d_k(), in.d_k()) *= -1;
  return changed;
}

std::vector<Question> ask_block(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  if (in.n_heads < 2) return {};
  std::vector<Question> questions = ask_weights(subject, in);
  for (Question& q : ask_weights(subject, change_block(in, c.choice("head") % in.n_heads)))
    questions.push_back(std::move(q));
  return questions;
}

Verdict judge_block(const Subject& subject, const Case& c, std::span<const Question> questions,
                    std::span<const Reply> replies) {
  const std::size_t half = questions.size() / 2;
  const ReadWeights before = read_weights(subject, questions.first(half), replies.first(half));
  const ReadWeights after = read_weights(subject, questions.subspan(half), replies.subspan(half));
  const std::size_t changed = static_cast<std::size_t>(c.choice("head") % std::ssize(before));  // may change
  bool same = true;
  for (std::size_t g = 0; g < before.size(); ++g)
    same = same && (g == changed || identical(after[g], before[g]));
  if (same) return Verdict::pass();
  const auto oracle = recall(questions[0], subject);
  const Expected& expected = *oracle;
  PairBound bound = pair_bound(subject, expected);
  bound.cover(before);
  bound.cover(after);
  for (std::size_t g = 0; g < before.size(); ++g) {
    if (g == changed) continue;
    auto e = first_difference(subject, "weights", after[g], before[g], bound.weights[g]);
    if (!e) continue;
    e->index.insert(e->index.begin(), static_cast<Index>(g));
    const std::size_t wrong =
        show_the_wrong_one(*e, "weights", expected.weights, before.view(), after.view());
    if (wrong == 0) return falsified(std::move(*e), "block", 0);
    show(*e, "weights", recall(questions[half], subject)->weights, after.view());
    return falsified(std::move(*e), "block", half, "the sign of w_q changed, for another head only");
  }
  return Verdict::pass();
}

// P8. The order of the heads is a convention: permuting their blocks everywhere changes nothing in y.
std::vector<Question> ask_permuted(const Subject& subject, const Case& c) {
  const CaseInputs in = inputs_of(subject, c);
  if (in.n_heads < 2) return {};
  CaseInputs permuted = in;
  const Index shift = 1 + c.choice("shift") % (in.n_heads - 1);
  for (Index g = 0; g < in.n_heads; ++g) {
    const Index to = (g + shift) % in.n_heads;
    permuted.w_q.middleCols(to * in.d_k(), in.d_k()) = in.w_q.middleCols(g * in.d_k(), in.d_k());
    permuted.w_k.middleCols(to * in.d_k(), in.d_k()) = in.w_k.middleCols(g * in.d_k(), in.d_k());
    permuted.w_v.middleCols(to * in.d_v(), in.d_v()) = in.w_v.middleCols(g * in.d_v(), in.d_v());
    permuted.w_o.middleRows(to * in.d_v(), in.d_v()) = in.w_o.middleRows(g * in.d_v(), in.d_v());
  }
  return questions_in_order(ask(subject, in), ask(subject, permuted));
}

Verdict judge_permuted(const Subject& subject, const Case&, std::span<const Question> questions,
                       std::span<const Reply> replies) {
  const MatrixView y = y_of(replies[0]), permuted = y_of(replies[1]);
  if (identical(permuted, y)) return Verdict::pass();
  const auto oracle = recall(questions[0], subject);
  auto e = first_difference(subject, "y", permuted, y, pair_bound(subject, *oracle).y);
  if (!e) return Verdict::pass();
  const std::size_t wrong = show_the_wrong_one(*e, "y", oracle->y(), y, permuted);
  return falsified(std::move(*e), "permuted", wrong,
                   "the heads in another order, in all four weight matrices");
}

}  // namespace

std::vector<Property> head_properties() {
  return {
      {.id = "heads/influence-map",
       .title = "feature c of the values meets row c of w_o, and no other",
       .group = "heads",
       .formula = "only column c of w_v and row r of w_o kept: y = 0 unless c = r",
       .why = "Between splitting into heads and projecting the output, the features must come back in the "
              "order in which they left. The "
              "pairs (c, r) that influence y draw a map of what happened in between: blocks exchanged, "
              "interleaved, added up.",
       .blind_to = "queries and keys",
       .choices = {{"column", value_columns},
                   {"distance", [](const Extents& e) { return value_columns(e) - 1; }}},
       .applies = has_output_projection,
       .ask = ask_influence,
       .judge = judge_influence},
      {.id = "heads/own-block-only",
       .title = "a head's weights depend on its own block of w_q only",
       .group = "heads",
       .formula = "w_q[:, block g] changed: A[g'] unchanged for g' != g",
       .why = "Heads are independent attentions that happen to be computed together. If one head's query "
              "reaches another head's weights, "
              "the split has mixed them, or there is only one big head.",
       .blind_to = "the scale; anything that is wrong in every head alike",
       .needs_weights = true,
       .choices = {{"head", heads_of}},
       .applies = has_heads,
       .ask = ask_block,
       .judge = judge_block},
      {.id = "heads/permutation",
       .title = "the order of the heads does not matter",
       .group = "heads",
       .formula = "blocks of w_q, w_k, w_v (columns) and w_o (rows) permuted alike: y unchanged",
       .why = "Nothing distinguishes the first head from the second. A head that is treated differently (the "
              "only one with a mask, the only "
              "one that is scaled) is found out by moving it.",
       .blind_to = "anything that is wrong in every head alike",
       .choices = {{"shift", [](const Extents& e) { return heads_of(e) - 1; }}},
       .applies = has_heads,
       .ask = ask_permuted,
       .judge = judge_permuted},
  };
}

}  // namespace attest
