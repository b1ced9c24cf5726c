// The additive causal mask alone: 0 where a token sees, -inf where it does not.
#include "properties/catalogue/compare.hpp"
#include "properties/catalogue/families.hpp"
#include "properties/right.hpp"

#include <limits>

namespace attest {
namespace {

std::vector<Question> ask_mask(const Subject& subject, const Case& c) {
  return questions_in_order(Question{materialise(*subject.spec, c, subject.dtype)});
}

Matrix mask_of(const Reply& reply) { return get(reply.results, "mask").matrix(); }

// The first wrong number among those with j <= i, or among the others.
Verdict judge_mask_part(const Subject& subject, std::span<const Question> questions,
                        std::span<const Reply> replies, bool visible) {
  const Matrix mask = mask_of(replies[0]);
  const double wanted = visible ? 0 : -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < mask.rows(); ++i) {
    for (Index j = 0; j < mask.cols(); ++j) {
      if ((j <= i) != visible || mask(i, j) == wanted) continue;
      Evidence e;
      e.tensor = "mask";
      e.index = {i, j};
      e.expected = wanted;
      e.actual = mask(i, j);
      e.error = std::numeric_limits<double>::infinity();
      compare_all(e, *right_answer(subject, questions[0]), replies[0].results);
      return falsified(std::move(e), visible ? "visible" : "hidden", 0);
    }
  }
  return Verdict::pass();
}

Verdict judge_mask_visible(const Subject& subject, const Case&, std::span<const Question> questions,
                           std::span<const Reply> replies) {
  return judge_mask_part(subject, questions, replies, true);
}

Verdict judge_mask_hidden(const Subject& subject, const Case&, std::span<const Question> questions,
                          std::span<const Reply> replies) {
  return judge_mask_part(subject, questions, replies, false);
}

// A shorter sequence's mask is the beginning of a longer one's.
std::vector<Question> ask_shorter_mask(const Subject& subject, const Case& c) {
  const Index n = c.free.at("T");
  if (n < 2) return {};
  Case shorter = c;
  shorter.free["T"] = 1 + c.choice("length") % (n - 1);
  shorter.literal.reset();
  return questions_in_order(Question{materialise(*subject.spec, c, subject.dtype)},
                            Question{materialise(*subject.spec, shorter, subject.dtype)});
}

Verdict judge_shorter_mask(const Subject& subject, const Case&, std::span<const Question> questions,
                           std::span<const Reply> replies) {
  const Matrix longer = mask_of(replies[0]), shorter = mask_of(replies[1]);
  for (Index i = 0; i < shorter.rows(); ++i) {
    for (Index j = 0; j < shorter.cols(); ++j) {
      if (longer(i, j) == shorter(i, j)) continue;
      Evidence e;
      e.tensor = "mask";
      e.index = {i, j};
      e.expected = shorter(i, j);
      e.actual = longer(i, j);
      e.error = std::numeric_limits<double>::infinity();
      compare_all(e, *right_answer(subject, questions[0]), replies[0].results);
      return falsified(std::move(e), "shorter", 0, "the mask of a shorter sequence differs there");
    }
  }
  return Verdict::pass();
}

}  // namespace

std::vector<Property> mask_properties() {
  std::vector<Property> all = {
      {.id = "mask/visible-is-zero",
       .title = "the mask is 0 where a token may look",
       .group = "mask",
       .formula = "mask[i, j] = 0 for j <= i",
       .why = "It is added to the scores, and 0 leaves them as they are. The diagonal belongs to it: a token "
              "sees itself, and the "
              "first one sees nothing else.",
       .blind_to = "what is hidden",
       .ask = ask_mask,
       .judge = judge_mask_visible},
      {.id = "mask/hidden-is-minus-infinity",
       .title = "the mask is -inf where a token may not look",
       .group = "mask",
       .formula = "mask[i, j] = -inf for j > i",
       .why = "exp(score - inf) is 0 whatever the score. A large finite number hides only what is smaller.",
       .blind_to = "what is visible",
       .ask = ask_mask,
       .judge = judge_mask_hidden},
      {.id = "mask/begins-with-shorter",
       .title = "the mask of a longer sequence begins with that of a shorter one",
       .group = "mask",
       .formula = "mask(n)[:m, :m] = mask(m)",
       .why = "What a token sees does not depend on how many come after it.",
       .blind_to = "a mask that is wrong in the same way at every length",
       .choices = {{"length",
                    [](const Extents& extents) { return std::max<Index>(1, extents.at("T") - 1); }}},
       .ask = ask_shorter_mask,
       .judge = judge_shorter_mask}};
  for (Property& property : all) property.subject = "causal-mask";
  return all;
}

}  // namespace attest
