// Splitting columns into heads, and merging heads into columns, alone. Numbers only move: everything is exact.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"
#include "properties/right.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {
namespace {

// x with the numbers 1, 2, 3 ... row by row, so that where one comes from can be read off.
Question numbered(const Subject& subject, const Case& c) {
  Question question{materialise(*subject.spec, c, subject.dtype)};
  if (!c.literal) {
    double next = 1;
    for (double& value : question.arguments[0].tensor.values) value = next++;
  }
  return question;
}

std::vector<Question> ask_numbered(const Subject& subject, const Case& c) { return {numbered(subject, c)}; }

Verdict wrong_number(const Subject& subject, std::span<const Question> questions,
                     std::span<const Reply> replies, std::string_view kind, std::string transform = {}) {
  const std::size_t question = questions.size() - 1;
  auto e = first_wrong(subject, *right_answer(subject, questions[question]), replies[question].results);
  if (!e) return Verdict::pass();
  return falsified(std::move(*e), kind, question, std::move(transform));
}

Verdict judge_columns(const Subject& subject, const Case&, std::span<const Question> questions,
                      std::span<const Reply> replies) {
  return wrong_number(subject, questions, replies, "columns");
}

// As often as it goes in, each number comes out.
Verdict judge_once(const Subject& subject, const Case&, std::span<const Question> questions,
                   std::span<const Reply> replies) {
  Numbers in = questions[0].arguments[0].tensor.values;
  const Numbers out = replies[0].results[0].tensor.values;
  std::sort(in.begin(), in.end());
  Numbers sorted = out;
  std::sort(sorted.begin(), sorted.end());
  if (in == sorted) return Verdict::pass();
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (std::count(out.begin(), out.end(), out[k]) == std::count(in.begin(), in.end(), out[k])) continue;
    const auto right = right_answer(subject, questions[0]);
    Evidence e;
    e.tensor = replies[0].results[0].name;
    e.index = index_of(k, replies[0].results[0].tensor.dims);
    e.expected = static_cast<double>(right->results[0].values[k]);
    e.actual = out[k];
    e.error = std::numeric_limits<double>::infinity();
    compare_all(e, *right, replies[0].results);
    return falsified(std::move(e), "once", 0);
  }
  return Verdict::pass();
}

// Row t of every head is made of row t of x alone.
std::vector<Question> ask_fewer_tokens(const Subject& subject, const Case& c) {
  const Index n = c.free.at("T");
  if (n < 2) return {};
  const Question whole = numbered(subject, c);
  const Index keep = 1 + c.choice("t") % (n - 1);
  Question cut = whole;
  cut.arguments[0].tensor = Tensor::from(Matrix(whole.arguments[0].tensor.matrix().topRows(keep)));
  return {whole, cut};
}

Verdict judge_fewer_tokens(const Subject& subject, const Case&, std::span<const Question> questions,
                           std::span<const Reply> replies) {
  const Heads whole = replies[0].results[0].tensor.heads(), cut = replies[1].results[0].tensor.heads();
  for (std::size_t g = 0; g < cut.size(); ++g) {
    for (Index t = 0; t < cut[g].rows(); ++t) {
      for (Index j = 0; j < cut[g].cols(); ++j) {
        if (whole[g](t, j) == cut[g](t, j)) continue;
        const auto right = right_answer(subject, questions[0]);
        Evidence e;
        e.tensor = replies[0].results[0].name;
        e.index = {static_cast<Index>(g), t, j};
        const auto position = (static_cast<Index>(g) * whole[g].rows() + t) * whole[g].cols() + j;
        e.expected = static_cast<double>(right->results[0].values[static_cast<std::size_t>(position)]);
        e.actual = whole[g](t, j);
        e.error = std::fabs(e.expected - e.actual);
        compare_all(e, *right, replies[0].results);
        return falsified(std::move(e), "shorter", 0, "without the later tokens another number stands there");
      }
    }
  }
  return Verdict::pass();
}

// Heads with the numbers 1, 2, 3 ..., for merging: not made by a split of the submission's, which may be wrong.
std::vector<Question> ask_merge(const Subject& subject, const Case& c) {
  if (subject.spec->also.empty()) return {};
  const Spec& merge = subject.spec->call(1);
  Tensor heads = Tensor::zeros(resolve(merge.arguments[0].dims, subject.spec->complete(c.free)));
  double next = 1;
  for (double& value : heads.values) value = next++;
  Question question{{{merge.arguments[0].role, std::move(heads), false}}};
  question.call = 1;
  return {question};
}

Verdict judge_merge(const Subject& subject, const Case&, std::span<const Question> questions,
                    std::span<const Reply> replies) {
  return wrong_number(subject, questions, replies, "merged");
}

// The learner's own split is taken apart and put together again: asked of merge, the right heads come back as x.
std::vector<Question> ask_round(const Subject& subject, const Case& c) {
  if (subject.spec->also.empty()) return {};
  const Question split = numbered(subject, c);
  const Spec& merge = subject.spec->call(1);
  const auto right = right_answer(subject, split);
  Question back{{{merge.arguments[0].role, Tensor{right->results[0].dims, right->results[0].values}, false}}};
  back.call = 1;
  return {split, back};
}

}  // namespace

std::vector<Property> split_properties() {
  std::vector<Property> all = {
      {.id = "split/token-stays",
       .title = "a token's features stay with the token",
       .group = "heads",
       .formula = "split(x[:t]) = split(x)[:, :t]",
       .why = "reshape(n_heads, T, d_head) on its own deals rows out to heads: head 0 then holds the first "
              "tokens whole. Cutting "
              "the sequence shows it, as everything moves.",
       .blind_to = "which columns of the token go where",
       .choices = {{"t", [](const Extents& extents) { return std::max<Index>(1, extents.at("T") - 1); }}},
       .ask = ask_fewer_tokens,
       .judge = judge_fewer_tokens},
      {.id = "split/every-number-once",
       .title = "every number comes out exactly once",
       .group = "heads",
       .formula = "the numbers of the result are those of x",
       .why = "Splitting moves numbers and makes none. One that is missing or doubled belongs to columns "
              "that two heads share, or "
              "to none.",
       .blind_to = "where the numbers go",
       .ask = ask_numbered,
       .judge = judge_once},
      {.id = "split/own-columns",
       .title = "head g holds columns g d_head to (g + 1) d_head - 1",
       .group = "heads",
       .formula = "heads[g, t, j] = x[t, g d_head + j]",
       .why = "Which columns form a head is a convention that the weights were trained with: neighbouring "
              "ones here, every "
              "n_heads-th elsewhere.",
       .blind_to = "nothing: it determines the result",
       .ask = ask_numbered,
       .judge = judge_columns},
      {.id = "merge/own-columns",
       .title = "merging puts head g into columns g d_head to (g + 1) d_head - 1",
       .group = "heads",
       .formula = "merged[t, g d_head + j] = heads[g, t, j]",
       .why = "Heads come back side by side, token by token. A reshape alone puts whole heads below one "
              "another, and a sum or a mean "
              "keeps less than there was.",
       .blind_to = "the split",
       .ask = ask_merge,
       .judge = judge_merge},
      {.id = "merge/undoes-split",
       .title = "merging undoes splitting",
       .group = "heads",
       .formula = "merge_heads(split_heads(x)) = x",
       .why =
           "What leaves in some order must come back in it, also when calls with other shapes lie between.",
       .blind_to = "a split and a merge that are wrong in the same way",
       .ask = ask_round,
       .judge = judge_merge}};
  for (Property& property : all) property.subject = "heads";
  return all;
}

}  // namespace attest
