#include "grader/report/guidance.hpp"

#include "grader/report/numbers.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

constexpr Guidance kGeneral = {"", "{where} should be {expected} and is {actual}: {title}", "", ""};

// Behaviour first, then the kinds of code that behave so. Nothing here claims to have read the submission.
constexpr std::array kGuidance = {
    Guidance{"output/finite", "{where} is {actual}; with inputs like these every number stays finite",
             "a row in which every score is hidden, 0 times infinity, exp of a large number, a division by 0",
             "which row has nothing left to see, or grows beyond what a floating-point number can hold?"},
    Guidance{
        "state/pure",
        "your function changed its argument: {where} was {expected} before the call and is {actual} after it",
        "/=, *=, += or [...] = on an argument or on a view of one; out= in a NumPy call",
        "which of your names are new arrays, and which are other names for the caller's?",
        {"before", "after"}},
    Guidance{"state/deterministic",
             "the same call gave {expected} once and {actual} the next time, at {where}",
             "random numbers (dropout left on), memory that is read before it is written, values kept "
             "between calls",
             "what, besides the arguments, does the result depend on?",
             {"once", "again"}},
    Guidance{"state/history",
             "after other calls {where} is {actual}; a first call with the same arguments gives {expected}",
             "a global, a static, a default argument or a cache that outlives the call; a mask built for an "
             "earlier T, weights kept from earlier ones",
             "what do you keep from one call to the next, and is it still right when x, T or a weight matrix "
             "is another?",
             {"a first call", "after others"}},
    Guidance{"state/own-result",
             "later calls change the result of the first: {where} was {expected} and is {actual} now",
             "an array that is made once and filled by every call, out= with a kept array, a view of one "
             "that is returned",
             "which line makes a new array for the result?",
             {"at first", "later"}},
    Guidance{"state/memory-order",
             "{where} changes from {expected} to {actual} when the same numbers lie differently in memory",
             "reshape or ravel with order=, .data or strides used directly, an assumption of contiguous rows",
             "does a line of yours ask how the numbers lie, and not only what they are?",
             {"in C order", "otherwise"}},
    Guidance{"values/first-row", "token 0 sees only itself, so {where} must be {expected}; yours is {actual}",
             "which matrix makes the values, in which order the heads come back side by side, whether w_o is "
             "applied and comes "
             "last, what is added to the result",
             "with one token all its weight is on itself: what is then left of the formula?"},
    Guidance{"values/linear-in-w-o",
             "y does not follow w_o as it should: {where} should be {expected} and is {actual}",
             "w_o left out, applied before the heads are side by side, or something added after it",
             "what should y be when w_o is all zeros?"},
    Guidance{"heads/influence-map",
             "with one column of w_v and one row of w_o left, {where} must be {expected}; yours is {actual}",
             "the order of axes in the reshape and the transpose, when heads are cut out and when they are "
             "put back",
             "into which columns does head 1 write its result, and which columns of w_v did it read?"},
    Guidance{"values/mix-of-weights",
             "your weights and your y do not fit together: values mixed by the weights that you return give "
             "{where} = {expected}, and your y has {actual}",
             "weights that are changed after y was made (or before they are returned), a sum by which only y "
             "is divided, values from another matrix than w_v",
             "are the weights that you return the very ones that you multiplied the values with?",
             {"by your weights", "your y"}},
    Guidance{"weights/rows-sum-to-one", "{row} of your weights sums to {actual}; every row must sum to 1",
             "the axis of the sum, what is still in the sum when it is taken, anything that changes weights "
             "after it",
             "over which tokens should this row's exponentials be summed?"},
    Guidance{"weights/in-unit-interval", "{where} is {actual}; a weight lies between 0 and 1",
             "scores used in place of weights, a softmax that is left out or divided by something else",
             "what keeps an exponential over a sum of exponentials between 0 and 1?"},
    Guidance{"weights/uniform-when-query-is-zero",
             "with all queries 0, token {token} must give each token it sees the same weight, {expected}; "
             "yours gives {actual}",
             "what the sum under each row runs over, and when tokens are hidden: before or after it",
             "with equal scores, how many tokens share the weight in this row?"},
    Guidance{
        "weights/upper-triangle-zero",
        "token {token} gives weight {actual} to token {column}, which comes after it; it must be exactly 0",
        "whether there is a mask, on which side of the diagonal it lies, whether it hides the diagonal, too, "
        "whether its result is used, what value hides",
        "what may token {token} see?"},
    Guidance{
        "causality/truncation-invariance",
        "{where} depends on tokens that come later: whatever they are, it should be {expected}, and here it "
        "is {actual}",
        "hiding that comes after the normalisation, a reshape that mixes tokens with heads, a sum over all "
        "tokens, a factor made from their number",
        "which numbers of later tokens have been used by the time token {token}'s result is ready?"},
    Guidance{
        "causality/future-tokens-replaced",
        "{where} should be {expected} whatever comes later, and is {actual} beside later tokens of another "
        "size",
        "a maximum or a sum that includes hidden scores, a hidden score that is only a large negative number",
        "do hidden scores take part in anything, even in a maximum?"},
    Guidance{
        "heads/own-block-only",
        "{where} changes with another head's columns of w_q: it should be {expected} and is {actual}",
        "how columns are shared out among heads, sums or averages over heads, n_heads that is never used",
        "which columns of w_q belong to head 0, and do other heads use them too?"},
    Guidance{
        "heads/permutation", "when heads trade places, {where} should be {expected} and is {actual}",
        "a head that is treated differently from the others, the order in which heads are put side by side",
        "is there a line in which one head is special?"},
    Guidance{"scores/attend",
             "your answer does not depend on w_q: {where} is {actual} with this w_q and with w_q = 0; with "
             "this one it should be {expected}",
             "whether queries and keys are multiplied, and whether what comes of it reaches the result",
             "which line would notice if every query were 0?"},
    Guidance{
        "scores/scaled-by-d-head",
        "with one query times one key known and all others 0, the logarithm of one weight over the other "
        "should grow by 1/√d_head = {expected} for each unit of that product, and grows by {actual}",
        "what the scores are divided by, how often, and whether before the softmax; where it is 0 or "
        "negative, which "
        "vector is the query (row i of the scores belongs to query i) and which matrix makes it; where "
        "only the last digits are off, what holds fewer digits than the arguments do (float16)",
        "how many products are added up in one score, and of which two vectors?"},
    Guidance{"scores/zero-heads-added",
             "with more heads, all zero, {where} should still be {expected} and is {actual}",
             "a scale made from d_model or n_heads, a softmax or an average over heads",
             "does a head of yours know how many other heads there are?"},
    Guidance{"scores/heads-duplicated",
             "with every head there twice, {where} should be {expected} and is {actual}",
             "a scale made from d_model or n_heads, sums over heads where they belong side by side",
             "does a head of yours know how many other heads there are?"},
    Guidance{"scores/heads-padded",
             "with each head padded by zeros and the queries enlarged to make up for it, {where} should be "
             "{expected} and is {actual}",
             "what the scores are divided by: it must grow as √d_head does",
             "what happens to your scores when d_head becomes four times as large?"},
    Guidance{"scores/log-ratios",
             "in {row} the logarithm of weight {column} over weight {token} should be {expected}, the "
             "difference of the two scores, and is {actual}",
             "which vectors a score multiplies, the sign, the scale, the base of the exponential",
             "for one query and two keys, what is the logarithm of the ratio of their weights?"},
    Guidance{"scores/change-of-basis",
             "with the features of queries and keys in another basis {where} should still be {expected} and "
             "is {actual}",
             "features that a dot product leaves out or takes from another head, a matrix that makes both "
             "queries and "
             "something else",
             "which numbers of one query meet which numbers of one key?"},
    Guidance{
        "values/change-of-basis",
        "with the features of the values in another basis {where} should still be {expected} and is {actual}",
        "which matrix makes the values, which rows of w_o they meet, what is done between the two",
        "what lies between x @ w_v and the product with w_o, besides a weighted mean?"},
    Guidance{
        "scores/balanced-factors",
        "with w_q larger and w_k smaller by one factor {where} should still be {expected} and is {actual}",
        "w_q or w_k used for more than queries and keys, a term added to queries or keys",
        "in which places does w_k stand in your code?"},
    Guidance{
        "weights/shift-of-keys",
        "with one vector added to every key {where} should still be {expected} and is {actual}",
        "a number that stands for minus infinity, a missing maximum, what the sum under each row runs over",
        "by how much do two scores of one row differ when both grow by the same number?"},
    Guidance{"weights/order-of-the-past",
             "with the earlier tokens in another order {where} should still be {expected} and is {actual}",
             "a term of the tokens' positions, a window, how tiles or blocks are put together",
             "what in your code knows where an earlier token stands?"},
    Guidance{
        "values/equal-tokens", "all tokens are alike, so {where} must be {expected}; yours is {actual}",
        "rows of weights that do not sum to 1, which matrix makes the values, what is added to the result",
        "what is the mean of equal values, whatever their weights?"},
    Guidance{"weights/equal-keys",
             "tokens 0 and 1 are alike, so {where} should be {expected}, as for token 0; it is {actual}",
             "a term of the tokens' positions, an axis that is the wrong one, how tiles are put together",
             "what in your code treats token 0 and token 1 differently?"},
    Guidance{"scores/steeper-queries",
             "with w_q twice as large the logarithm of a ratio of weights should be {expected}, twice what "
             "it was, and is "
             "{actual}",
             "what is done to a score before and after the exponential",
             "how does a weight depend on its score, if not through an exponential?"},
    Guidance{"scores/query-only-feature",
             "a feature that only queries use changed for another token, and {where} changed with it: it "
             "should be "
             "{expected} and is {actual}",
             "which of the two, query or key, stands in the rows of the scores; the axis of the softmax",
             "which row of the scores belongs to token 0's query?"},
    Guidance{"scores/key-only-feature",
             "a feature that only keys use changed for a later token, and {where} changed with it: it should "
             "be {expected} "
             "and is {actual}",
             "the mask: on which side of the diagonal it lies, whether its result is used",
             "which keys may token 0 see?"},
    Guidance{
        "scores/ratios-of-others",
        "one key changed, and {where} with it, out of proportion: beside the other weights of its row it "
        "should be {expected} and is {actual}",
        "weights that are averaged over heads, a softmax in pieces, weights that are cut off or changed "
        "after the softmax",
        "when one term of a sum changes, what happens to the ratio of two others?"},
    Guidance{
        "causality/hidden-nan",
        "where later tokens are NaN, {where} is {actual}; it does not depend on them and could be {expected}",
        "a product of all weights with all values: 0 times NaN is NaN; a mask that is added: NaN minus "
        "infinity is NaN",
        "which of your lines multiplies numbers of a hidden token, if only by 0?"},
    Guidance{
        "numerics/largest-key-wins",
        "scores are far apart, so the largest that a token sees takes all the weight: {where} should be "
        "{expected} and "
        "is {actual}",
        "clipped or rounded scores, a number that stands for minus infinity, a missing maximum, the sign",
        "what is exp(-1000), and what is left of a row whose largest score is 1000 above the others?"},
    Guidance{"numerics/large-scores",
             "with scores of about {largest}, {where} should be {expected} and is {actual}",
             "the maximum that is subtracted before exp (whose, and of what), a large number that stands for "
             "minus infinity",
             "what is exp(1000) in floating point, what is exp(-1000), and what is each divided by itself?"},
    Guidance{"softmax/rows-sum-to-one", "{row} of your weights sums to {actual}; every row must sum to 1",
             "the axis of the sum, keepdims, anything that is added to the sum",
             "over which scores is the sum of this row taken?"},
    Guidance{"softmax/in-unit-interval", "{where} is {actual}; a weight lies between 0 and 1",
             "scores or logarithms that are returned in place of weights, a divisor that is not the sum of "
             "the exponentials",
             "what keeps an exponential over a sum of exponentials between 0 and 1?"},
    Guidance{"softmax/rows-stand-alone",
             "among other rows {where} is {actual}; the row alone must give {expected}, and so it must here",
             "the axis of the sum and of the maximum, a mask that nobody asked for",
             "which numbers of other rows does this row's result use?"},
    Guidance{"softmax/shift-invariant",
             "with the same number added to its whole row {where} should still be {expected} and is {actual}",
             "what is done to the scores before exp, a softmax that is taken twice, absolute values",
             "what becomes of exp(s + c) when it is divided by a sum of such?"},
    Guidance{"softmax/log-ratios",
             "in row {token} the logarithm of weight {column} over weight 0 should be {expected}, the "
             "difference of their "
             "scores, and is {actual}",
             "the base of the exponential, its sign, a factor inside it",
             "for two scores, what is the logarithm of the ratio of their weights?"},
    Guidance{"softmax/hidden-is-zero",
             "where some scores are -inf, {where} should be {expected} and is {actual}",
             "-inf minus -inf, 0 times -inf, a clip or a number that takes the place of -inf",
             "what is exp(-inf), and which of your lines sees -inf before that?"},
    Guidance{
        "softmax/large-scores", "with large scores {where} should be {expected} and is {actual}",
        "the maximum that is subtracted before exp: whether there is one, and whether it is the row's own",
        "what is exp(1000) in floating point, what is exp(-1000), and what is each divided by itself?"},
    Guidance{"mask/visible-is-zero",
             "token {token} may see token {column}, so {where} must be 0; yours is {actual}",
             "on which side of the diagonal the zeros lie, the diagonal itself, 0 times infinity",
             "which tokens does token {token} see, and is it one of them?"},
    Guidance{"mask/hidden-is-minus-infinity",
             "token {column} comes after token {token}, so {where} must be -inf; yours is {actual}",
             "which value hides, and on which side of the diagonal it lies",
             "what must be added to a score so that nothing is left of it, however large it is?"},
    Guidance{"mask/begins-with-shorter",
             "for a shorter sequence {where} is {expected}, and for this one it is {actual}",
             "a size that is fixed or kept, a window, anything counted from the end",
             "does what token {token} sees depend on how many tokens come after it?"},
    Guidance{"split/token-stays",
             "{where} should be {expected} and is {actual}: another token's number stands there",
             "a reshape straight to (n_heads, T, d_head), which deals out rows; the order of axes in the "
             "transpose",
             "which axis of x becomes two, and which stays as it is?"},
    Guidance{"split/every-number-once",
             "{where} is {actual}, which is in the result too often or not at all in x",
             "columns that two heads share, heads that are copies, sums or means",
             "into how many places does one number of x go?"},
    Guidance{"split/own-columns",
             "{where} should be {expected} and is {actual}: a number from another column or row of x",
             "whether a head takes neighbouring columns or every n_heads-th, the order of the heads and of "
             "their columns",
             "which columns of x make head 1?"},
    Guidance{"merge/own-columns", "merged from right heads, {where} should be {expected} and is {actual}",
             "a reshape without the transpose that belongs before it, the order of the heads, a sum or a "
             "mean over them",
             "which axis of the heads must stand beside d_head before the two become one?"},
    Guidance{"merge/undoes-split",
             "right heads of the x that was split before give {actual} at {where}, where x has {expected}",
             "sizes that are kept from a call of split_heads, the order of axes in both functions",
             "what does merge_heads know that its argument does not say?"},
    Guidance{"output/agrees-with-reference", "{where} should be {expected} and is {actual}",
             "this input worked through by hand, one line of yours at a time",
             "at which of your lines does a number first differ from the one on paper?"},
};

// The axes that an index stands for.
struct Place {
  std::string head, token, column;  // empty when there is none
  bool whole_row = false;           // the index stops before the last axis
};

Place place(const Evidence& evidence) {
  const auto compared = evidence.compared.find(evidence.tensor);
  // Without the tensor at hand, weights that come with three indices have heads in front.
  const std::size_t rank =
      compared != evidence.compared.end() ? compared->second.first.dims.size() : evidence.index.size();
  std::vector<std::string> indices;
  for (const Index i : evidence.index) indices.push_back(std::to_string(i));
  Place found;
  found.whole_row = indices.size() + 1 == rank;
  std::size_t next = 0;
  if (rank == 3 && !indices.empty()) found.head = indices[next++];
  if (next < indices.size()) found.token = indices[next++];
  if (next < indices.size()) found.column = indices[next++];
  return found;
}

}  // namespace

const Guidance& guidance(std::string_view id) {
  const auto row =
      std::find_if(kGuidance.begin(), kGuidance.end(), [&](const Guidance& g) { return g.id == id; });
  return row == kGuidance.end() ? kGeneral : *row;
}

std::string where_text(const Evidence& evidence) {
  if (evidence.index.empty()) return evidence.tensor.empty() ? "the result" : evidence.tensor;
  const Place found = place(evidence);
  if (found.whole_row && !found.token.empty()) {
    return fmt::format("row {}{} of {}", found.token, found.head.empty() ? "" : " of head " + found.head,
                       evidence.tensor);
  }
  return fmt::format("{}[{}]", evidence.tensor, fmt::join(evidence.index, ", "));
}

std::string fill_in(std::string_view text, const PropertyReport& property) {
  const Evidence& evidence = property.verdict.evidence;
  const Place found = place(evidence);
  const NumberPair numbers = telling_apart(evidence.expected, evidence.actual);
  const bool one_head = property.shape.contains("n_heads") && property.shape.at("n_heads") == 1;
  const std::string row = found.token.empty() ? "a row"
                          : found.head.empty() || one_head
                              ? "row " + found.token
                              : fmt::format("row {} of head {}", found.token, found.head);
  fmt::dynamic_format_arg_store<fmt::format_context> words;
  const std::string where = where_text(evidence);
  const auto add = [&](const char* name, const std::string& value) {
    words.push_back(fmt::arg(name, value));
  };
  add("where", where);
  add("row", row);
  add("token", found.token.empty() ? "i" : found.token);
  add("column", found.column.empty() ? "j" : found.column);
  add("tensor", evidence.tensor);
  add("expected", numbers.expected);
  add("actual", numbers.actual);
  add("transform", evidence.transform);
  add("largest", fmt::format("{:.1g}", evidence.largest_score));
  add("title", property.title);
  return fmt::vformat(text, words);
}

std::string sentence(const PropertyReport& property) {
  return fill_in(guidance(property.id).sentence, property);
}

Advice as_advice(const PropertyReport& property) {
  const std::string what =
      property.explanation.empty() ? "this does not always hold: " + property.title : property.explanation;
  if (property.is_warning)
    return {"informative", fmt::format("worth knowing, no points lost: {}  [{}]", what, property.id),
            property.id};
  std::string text = fmt::format("{}  [{}]", what, property.id);
  if (property.outcome == Outcome::fragile) {
    text = fmt::format(
        "fragile, but no points lost: {}. This happens only where scores exceed {:.0g}.  [{}]{}{}", what, 1e6,
        property.id, property.reproduce.empty() ? "" : "\nagain: ", property.reproduce);
  }
  return {"actionable", std::move(text), property.id};
}

}  // namespace attest
