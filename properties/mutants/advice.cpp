// What to tell somebody who has this bug: a question to ask oneself, and what to write instead. Code in NumPy's notation.
#include "properties/mutants/zoo.hpp"

#include <algorithm>
#include <array>

namespace attest {
namespace {

struct Advised {
  std::string_view id;
  BugAdvice advice;
};

constexpr std::string_view kScale =
    "scores / np.sqrt(d_head), with d_head = d_model // n_heads, before the mask";
constexpr std::string_view kMask =
    "np.where(np.tril(np.ones((T, T), bool)), scores, -np.inf) before the softmax";
constexpr std::string_view kSplit =
    "q.reshape(T, n_heads, d_head).transpose(1, 0, 2), and the same for k and v";
constexpr std::string_view kMerge =
    "heads.transpose(1, 0, 2).reshape(T, d_model): heads side by side, then @ w_o";
constexpr std::string_view kSoftmax =
    "e = np.exp(scores - scores.max(-1, keepdims=True)); e / e.sum(-1, keepdims=True)";

constexpr std::array kRows = {
    Advised{"scale-sqrt-d-model", {"how many products are added up in one entry of q @ k.T?", kScale}},
    Advised{"scale-missing", {"how does the size of a score grow with d_head?", kScale}},
    Advised{"scale-inverted", {"does the scaling make scores smaller or larger?", kScale}},
    Advised{"scale-twice", {"how often does the factor 1 / sqrt(d_head) reach a score?", kScale}},
    Advised{"scale-sqrt-heads", {"the length of which vectors does the scaling make up for?", kScale}},
    Advised{"scale-precedence",
            {"what does Python make of d ** 1 / 2?", "d_head ** 0.5, or np.sqrt(d_head)"}},
    Advised{"scale-padded-dim",
            {"is the number below the root the head's own size, or that of a buffer?", kScale}},
    Advised{
        "scale-integer-root",
        {"is the root a whole number for every d_head?", "a floating-point root: std::sqrt(double(d_head))"}},
    Advised{"scale-fourth-root",
            {"if each of q and k takes half of the scaling, do both of them?",
             "both sides by d_head ** -0.25, or one by d_head ** -0.5"}},
    Advised{"scale-sqrt-tokens",
            {"which axis of which array gives the number below the root?",
             "the last axis of q: np.sqrt(q.shape[-1])"}},
    Advised{"scale-exp2",
            {"which base does the softmax's exponential have?",
             "np.exp, or 2 ** (s * log2(e)): the factor log2(e) is missing"}},
    Advised{"scale-after-softmax",
            {"does a row still sum to 1 after your scaling?",
             "divide the scores, before the softmax; leave the weights alone"}},
    Advised{"scale-on-output",
            {"is the scaling done to scores, or to what they weigh?",
             "divide the scores, before the softmax; leave the output alone"}},
    Advised{"scale-hits-mask",
            {"what does the scaling do to the number that stands for minus infinity?",
             "scale first, mask after, with -np.inf"}},
    Advised{"mask-none", {"what may token 0 see?", kMask}},
    Advised{"mask-result-discarded",
            {"does the line that masks change its argument, or return a new array?",
             "scores = np.where(mask, scores, -np.inf): keep the result"}},
    Advised{"mask-dropped-on-one-path",
            {"are the weights that you return the ones that make y?",
             "compute the masked weights once, and use them for both"}},
    Advised{
        "mask-diag-excluded",
        {"may a token see itself?", "np.triu(..., k=1) hides j > i; with k=0 it hides the diagonal as well"}},
    Advised{"mask-diag-excluded-to-zero",
            {"may a token see itself?",
             "np.triu(..., k=1) hides j > i; then no row is empty and no NaN has to be replaced"}},
    Advised{
        "mask-one-ahead",
        {"what is the last token that token 0 may see?", "np.triu(..., k=1), not k=2: j <= i is visible"}},
    Advised{"mask-anti-causal",
            {"rows are queries: in which triangle of (query, key) does the future lie?",
             "hide above the diagonal: np.triu(..., k=1), or np.tril as what stays"}},
    Advised{"mask-inverted-bool",
            {"does True mean visible or hidden to the call that uses your mask?", kMask}},
    Advised{"mask-zero-fill",
            {"what weight does a score of 0 get?",
             "fill with -np.inf, not with 0 (and do not multiply scores by a 0/1 mask)"}},
    Advised{"mask-after-softmax",
            {"which scores are in the sum that a row is divided by?",
             "mask the scores with -np.inf before the softmax"}},
    Advised{"mask-after-softmax-renorm",
            {"what is left of a row when a hidden score is 1000 above the visible ones?",
             "mask the scores with -np.inf before the softmax"}},
    Advised{"mask-fill-1e4", {"what if every visible score is lower than your fill?", "-np.inf as the fill"}},
    Advised{"mask-fill-1e5", {"what if every visible score is lower than your fill?", "-np.inf as the fill"}},
    Advised{"mask-fill-1e9", {"what if every visible score is lower than your fill?", "-np.inf as the fill"}},
    Advised{"mask-add-1e4",
            {"what if a hidden score is larger than the number you subtract?", "add -np.inf instead"}},
    Advised{
        "mask-plus-inf",
        {"which weight does the softmax give to the largest score?", "-np.inf: the sign is the other one"}},
    Advised{"mask-zero-times-inf",
            {"what is 0 * inf?", "choose instead of multiplying: np.where(visible, 0.0, -np.inf)"}},
    Advised{"mask-bool-added",
            {"what number is True when it is added?", "np.where(hidden, -np.inf, 0.0) as the term to add"}},
    Advised{
        "mask-head0-only",
        {"over which axes does your mask reach?", "a mask of shape (T, T), broadcast over (n_heads, T, T)"}},
    Advised{"mask-window",
            {"how far back may the last token of a long sequence look?",
             "hide j > i only; nothing in the past is hidden"}},
    Advised{"mask-blockwise",
            {"within one block, which of two tokens comes first?",
             "skip whole blocks only where all of them is hidden; on the diagonal mask element by element"}},
    Advised{"softmax-over-queries",
            {"over which axis must the weights of one query sum to 1?", "axis=-1, the keys"}},
    Advised{"softmax-over-heads",
            {"over which axis must the weights of one query sum to 1?",
             "axis=-1, the keys: not the heads' axis"}},
    Advised{
        "softmax-joint-heads-keys",
        {"what should the sum of one head's row be?", "a softmax for each head, along its own last axis"}},
    Advised{"softmax-whole-matrix", {"what should the sum of each single row be?", kSoftmax}},
    Advised{"softmax-no-max", {"what is exp(1000)?", "subtract the row's maximum before np.exp"}},
    Advised{"softmax-global-max",
            {"what is left of a row whose scores are all 1000 below the matrix's maximum?",
             "the maximum of each row: max(axis=-1, keepdims=True)"}},
    Advised{"softmax-max-over-masked",
            {"may a hidden score decide by how much a row is shifted?", "take the maximum after the mask"}},
    Advised{"softmax-eps",
            {"can the sum that you divide by ever be 0?",
             "no term beside the sum: with the maximum subtracted it is at least 1"}},
    Advised{"softmax-clipped-scores",
            {"what becomes of two scores that are both beyond the limit?",
             "subtract the row's maximum instead of clipping"}},
    Advised{"softmax-plus-one",
            {"what should a row sum to?", "e / e.sum(-1, keepdims=True), with nothing added"}},
    Advised{
        "softmax-no-keepdims-sum",
        {"along which axis does a vector of T sums broadcast against (T, T)?", "keepdims=True in the sum"}},
    Advised{
        "softmax-twice",
        {"how often does a score pass through a softmax?", "once: what the softmax returns are the weights"}},
    Advised{"softmax-absent", {"between which values must a weight lie?", kSoftmax}},
    Advised{"softmax-sigmoid", {"do your weights know of each other?", kSoftmax}},
    Advised{
        "softmax-negated",
        {"does a larger score get a larger weight?", "np.exp(scores - maximum): the sign is the other one"}},
    Advised{"softmax-fp16-scores",
            {"which dtype do scores have on their way?", "keep the dtype of x throughout"}},
    Advised{"softmax-nan-to-zero",
            {"what should a row sum to, however large its scores?",
             "subtract the row's maximum, so that no NaN arises that has to be hidden"}},
    Advised{"online-no-rescale",
            {"to which maximum do the terms that you have summed belong?",
             "multiply the running output by exp(m_old - m_new), too"}},
    Advised{"online-stale-maximum",
            {"to which maximum do the terms that you have summed belong?",
             "multiply the running sum and the running output by exp(m_old - m_new)"}},
    Advised{"online-normalise-per-tile",
            {"how often may the output be divided by the sum?", "divide once, after the last tile"}},
    Advised{"tile-pad-counted",
            {"which weight do keys get that fill up the last tile?",
             "give padded keys a score of -inf, or leave them out of the sum"}},
    Advised{"wo-missing", {"what should y be when w_o is all zeros?", "return merged @ w_o"}},
    Advised{"heads-summed", {"how many columns does the output have before w_o?", kMerge}},
    Advised{"heads-averaged", {"how many columns does the output have before w_o?", kMerge}},
    Advised{"split-view", {"which numbers does reshape(n_heads, T, d_head) put into head 0?", kSplit}},
    Advised{"merge-view", {"which axis must be next to d_head when heads are put side by side?", kMerge}},
    Advised{"split-interleaved", {"which columns belong to head 0?", kSplit}},
    Advised{"merge-interleaved", {"into which columns does head 0 write?", kMerge}},
    Advised{"concat-reversed",
            {"into which columns does head 0 write?", "concatenate heads in their own order: 0 first"}},
    Advised{"qk-swapped",
            {"rows of the scores are queries: whose projection comes first?",
             "q @ k.T, with q = x @ w_q and k = x @ w_k"}},
    Advised{"v-uses-wk", {"which matrix makes the values?", "v = x @ w_v"}},
    Advised{"kv-swapped", {"which matrix makes the keys, and which the values?", "k = x @ w_k; v = x @ w_v"}},
    Advised{"a-times-k", {"what do the weights mix?", "weights @ v"}},
    Advised{"v-raw-x", {"which matrix makes the values?", "v = x @ w_v"}},
    Advised{"wq-transposed", {"which axis of w_q is summed over in x @ w_q?", "x @ w_q, without .T"}},
    Advised{"wk-transposed", {"which axis of w_k is summed over in x @ w_k?", "x @ w_k, without .T"}},
    Advised{"wv-transposed", {"which axis of w_v is summed over in x @ w_v?", "x @ w_v, without .T"}},
    Advised{"wo-transposed", {"which axis of w_o is summed over?", "merged @ w_o, without .T"}},
    Advised{"one-big-head", {"does your result depend on n_heads?", kSplit}},
    Advised{"weights-averaged",
            {"which weights mix the values of head 1?", "each head's own weights times its own values"}},
    Advised{"weights-returned-averaged",
            {"how many weight matrices does the caller get?",
             "return the weights of all heads: (n_heads, T, T)"}},
    Advised{"weights-returned-scores",
            {"at which point do you keep what you return as weights?", "return what the softmax gives"}},
    Advised{"weights-transposed",
            {"rows of the weights are queries: which axis is summed over?", "weights @ v, without .T"}},
    Advised{"residual-added",
            {"what should y be when w_o is all zeros?", "leave x + ... to the block around the attention"}},
    Advised{"output-normalised",
            {"what should y be when w_o is twice as large?",
             "leave the layer norm to the block around the attention"}},
    Advised{"position-bias",
            {"does a score depend on where tokens stand, or only on what they are?",
             "no term of i - j in the scores"}},
    Advised{"position-bias-alibi",
            {"does a score depend on where tokens stand, or only on what they are?",
             "no term of i - j in the scores"}},
    Advised{"head-dim-dropped",
            {"how many products are added up in one score?", "all d_head columns: check the slice's end"}},
    Advised{"kv-head0-only", {"which keys does head 1 look at?", "k[g] and v[g] for head g"}},
    Advised{"last-head-everywhere",
            {"when head 1 is computed, what happens to head 0's result?",
             "a new array for each head, or a buffer's own part"}},
    Advised{"inplace-w",
            {"whose array does /= change?", "w_q = w_q / ..., not w_q /= ...: the caller keeps his"}},
    Advised{"inplace-x",
            {"whose array does [...] = change?", "a new array for the result: the caller keeps his x"}},
    Advised{"kv-leak",
            {"what is left of the last call when the next begins?",
             "start with empty keys and values in every call"}},
    Advised{"dropout-active",
            {"is anything random in a call that only evaluates?", "no dropout outside of training"}},
    Advised{"mask-cache-stale",
            {"for which T was the mask made that you use?",
             "make the mask for this call's T, or keep one for each T"}},
    Advised{
        "memo-by-shape",
        {"are two inputs of the same shape the same input?", "no cache, or one whose key holds the numbers"}},
    Advised{
        "uninitialised-accumulator",
        {"what does a new array hold before you write to it?", "np.zeros, not np.empty (in C++: setZero())"}},
    Advised{"t1-squeeze",
            {"what does squeeze() do to an axis of length 1?", "no squeeze: y has two axes for every T"}},
};

}  // namespace

const BugAdvice& advice_about(const Mutant& mutant) {
  static constexpr BugAdvice kNone{};
  const auto it =
      std::find_if(kRows.begin(), kRows.end(), [&](const Advised& row) { return row.id == mutant.id; });
  return it == kRows.end() ? kNone : it->advice;
}

}  // namespace attest
