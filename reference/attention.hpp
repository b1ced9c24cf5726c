// The mathematics of causal multi-head attention, as nine stages. Templated on the scalar and compiled for float, double and
// long double; Eigen and the standard library only. attention.cpp is written to be read: every line says its shape.
//
//   project -> split -> scores -> scale -> mask -> softmax -> mix -> merge -> output
//
// The same nine stages are what an exercise asks for, what a trace records and what a mutant replaces.
//
// Notation: T tokens, d_model features per token, n_heads heads; d_k = columns of w_q per head (d_head), d_v = columns of
// w_v per head. Convention: a projection is `x * w`, and head g owns the columns g * d_head ... (g + 1) * d_head - 1.
// Source: Vaswani et al., "Attention Is All You Need" (2017), equations (1) and section 3.2.2, with the causal mask of 3.2.3.
#pragma once

#include "reference/eigen.hpp"

#include <functional>
#include <vector>

namespace attest {

using Index = Eigen::Index;

template <class S>
using MatrixOf = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// One matrix per head.
template <class S>
using HeadsOf = std::vector<MatrixOf<S>>;

// What attention is computed from.
template <class S>
struct Inputs {
  MatrixOf<S> x;    // (T, d_model)
  MatrixOf<S> w_q;  // (d_model, n_heads d_k)
  MatrixOf<S> w_k;  // (d_model, n_heads d_k)
  MatrixOf<S> w_v;  // (d_model, n_heads d_v)
  MatrixOf<S> w_o;  // (n_heads d_v, d_model), or 0 x 0: no output projection, y is the merged heads
  Index n_heads = 1;

  Index tokens() const { return x.rows(); }
  Index d_model() const { return x.cols(); }
  Index d_k() const { return w_q.cols() / n_heads; }
  Index d_v() const { return w_v.cols() / n_heads; }
  bool has_output_projection() const { return w_o.size() > 0; }
  Index d_out() const { return has_output_projection() ? w_o.cols() : w_v.cols(); }

  template <class To>
  Inputs<To> cast() const {
    return {x.template cast<To>(),   w_q.template cast<To>(), w_k.template cast<To>(),
            w_v.template cast<To>(), w_o.template cast<To>(), n_heads};
  }
};

// What an implementation returns. `weights` may be empty: y alone is an answer too.
template <class S>
struct Answer {
  MatrixOf<S> y;       // (T, d_out)
  HeadsOf<S> weights;  // n_heads x (T, T)
};

// Every intermediate result, in the order in which the stages make them.
template <class S>
struct Trace {
  MatrixOf<S> q, k, v;                         // (T, n_heads d_k) twice, (T, n_heads d_v)
  HeadsOf<S> q_heads, k_heads, v_heads;        // n_heads x (T, d_k) twice, n_heads x (T, d_v)
  HeadsOf<S> scores, scaled, masked, weights;  // n_heads x (T, T)
  HeadsOf<S> heads;                            // n_heads x (T, d_v)
  MatrixOf<S> merged;                          // (T, n_heads d_v)
  MatrixOf<S> y;                               // (T, d_out)

  Answer<S> answer() const { return {y, weights}; }
};

// Softmax of every row. (T, S) -> (T, S). Entries of -inf get weight exactly 0; each row needs one finite entry, else the
// row is NaN.
template <class S>
MatrixOf<S> softmax(const MatrixOf<S>& scores);

// The additive causal mask. -> (T, T): 0 where token i may see token j (j <= i), -inf where it may not.
template <class S>
MatrixOf<S> causal_mask(Index n_tokens);

// (T, n_heads d) -> n_heads x (T, d). Throws std::invalid_argument when n_heads does not divide the columns.
template <class S>
HeadsOf<S> split_heads(const MatrixOf<S>& x, Index n_heads);

// n_heads x (T, d) -> (T, n_heads d): the inverse of split_heads.
template <class S>
MatrixOf<S> merge_heads(const HeadsOf<S>& heads);

// The table of stages. Each reads the inputs and what earlier stages left in the trace, and writes its own fields. A
// default-made table is the reference; a mutant is a copy with one entry replaced.
template <class S>
struct Stages {
  using Stage = std::function<void(const Inputs<S>&, Trace<S>&)>;
  Stage project, split, scores, scale, mask, softmax, mix, merge, output;

  Stages();
  Trace<S> run(const Inputs<S>& in) const;  // all nine in order
};

// Throws std::invalid_argument, saying which, unless the shapes fit together.
template <class S>
void check_shapes(const Inputs<S>& in);

// Causal multi-head self-attention with every intermediate. Throws as check_shapes does.
template <class S>
Trace<S> causal_multi_head_attention(const Inputs<S>& in);

// One head, no output projection. x (T, d_model), w_q and w_k (d_model, d_k), w_v (d_model, d_v) -> y (T, d_v).
template <class S>
Trace<S> causal_attention(const MatrixOf<S>& x, const MatrixOf<S>& w_q, const MatrixOf<S>& w_k,
                          const MatrixOf<S>& w_v);

}  // namespace attest
