// The mathematics of causal multi-head attention, written to be read: every stage is one function, every line says its
// shape. Templated on the scalar (float, double, long double); Eigen and the standard library only.
//
//   project -> split -> scores -> scale -> mask -> softmax -> mix -> merge -> output
//
// The same nine stages are what an exercise asks for, what a trace records and what a mutant replaces.
//
// Notation: T tokens, d_model features per token, n_heads heads; d_k = columns of w_q per head (d_head), d_v = columns of
// w_v per head. Convention: a projection is `x * w`, and head g owns the columns g * d_head ... (g + 1) * d_head - 1.
// Source: Vaswani et al., "Attention Is All You Need" (2017), equations (1) and section 3.2.2, with the causal mask of 3.2.3.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
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
  MatrixOf<S> x;      // (T, d_model)
  MatrixOf<S> w_q;    // (d_model, n_heads d_k)
  MatrixOf<S> w_k;    // (d_model, n_heads d_k)
  MatrixOf<S> w_v;    // (d_model, n_heads d_v)
  MatrixOf<S> w_o;    // (n_heads d_v, d_model), or 0 x 0: no output projection, y is the merged heads
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
  MatrixOf<S> y;        // (T, d_out)
  HeadsOf<S> weights;   // n_heads x (T, T)
};

// Every intermediate result, in the order in which the stages make them.
template <class S>
struct Trace {
  MatrixOf<S> q, k, v;                        // (T, n_heads d_k) twice, (T, n_heads d_v)
  HeadsOf<S> q_heads, k_heads, v_heads;       // n_heads x (T, d_k) twice, n_heads x (T, d_v)
  HeadsOf<S> scores, scaled, masked, weights; // n_heads x (T, T)
  HeadsOf<S> heads;                           // n_heads x (T, d_v)
  MatrixOf<S> merged;                         // (T, n_heads d_v)
  MatrixOf<S> y;                              // (T, d_out)

  Answer<S> answer() const { return {y, weights}; }
};

// Softmax of every row. (T, S) -> (T, S). Entries of -inf get weight exactly 0; each row needs one finite entry, else the
// row is NaN. Scalar std::exp on purpose: Eigen's vectorised exp(-inf) is a subnormal, not 0.
template <class S>
MatrixOf<S> softmax(const MatrixOf<S>& scores) {
  MatrixOf<S> weights(scores.rows(), scores.cols());             // (T, S)
  for (Index i = 0; i < scores.rows(); ++i) {
    const S peak = scores.row(i).maxCoeff();                     // this row's own maximum: no exponent above 0
    for (Index j = 0; j < scores.cols(); ++j) {
      weights(i, j) = std::exp(scores(i, j) - peak);             // in [0, 1]
    }
    weights.row(i) /= weights.row(i).sum();                      // the peak alone adds 1: never 0/0
  }
  return weights;
}

// The additive causal mask. -> (T, T): 0 where token i may see token j (j <= i), -inf where it may not.
template <class S>
MatrixOf<S> causal_mask(Index n_tokens) {
  MatrixOf<S> mask = MatrixOf<S>::Zero(n_tokens, n_tokens);      // (T, T)
  for (Index i = 0; i < n_tokens; ++i) {
    mask.row(i).tail(n_tokens - i - 1).setConstant(-std::numeric_limits<S>::infinity());
  }
  return mask;
}

// (T, n_heads d) -> n_heads x (T, d). Throws std::invalid_argument when n_heads does not divide the columns.
template <class S>
HeadsOf<S> split_heads(const MatrixOf<S>& x, Index n_heads) {
  if (n_heads < 1 || x.cols() % n_heads != 0) {
    throw std::invalid_argument("split_heads: n_heads must divide the number of columns");
  }
  const Index d_head = x.cols() / n_heads;
  HeadsOf<S> heads;
  for (Index g = 0; g < n_heads; ++g) heads.push_back(x.middleCols(g * d_head, d_head));  // (T, d)
  return heads;
}

// n_heads x (T, d) -> (T, n_heads d): the inverse of split_heads.
template <class S>
MatrixOf<S> merge_heads(const HeadsOf<S>& heads) {
  const Index d_head = heads.front().cols();
  MatrixOf<S> merged(heads.front().rows(), d_head * static_cast<Index>(heads.size()));
  for (std::size_t g = 0; g < heads.size(); ++g) {
    merged.middleCols(static_cast<Index>(g) * d_head, d_head) = heads[g];
  }
  return merged;
}

// The table of stages. Each reads the inputs and what earlier stages left in the trace, and writes its own fields. A
// default-made table is the reference; a mutant is a copy with one entry replaced.
template <class S>
struct Stages {
  using Stage = std::function<void(const Inputs<S>&, Trace<S>&)>;

  Stage project = [](const Inputs<S>& in, Trace<S>& t) {
    t.q = in.x * in.w_q;                                         // (T, n_heads d_k)
    t.k = in.x * in.w_k;                                         // (T, n_heads d_k)
    t.v = in.x * in.w_v;                                         // (T, n_heads d_v)
  };
  Stage split = [](const Inputs<S>& in, Trace<S>& t) {
    t.q_heads = split_heads(t.q, in.n_heads);                    // n_heads x (T, d_k)
    t.k_heads = split_heads(t.k, in.n_heads);                    // n_heads x (T, d_k)
    t.v_heads = split_heads(t.v, in.n_heads);                    // n_heads x (T, d_v)
  };
  Stage scores = [](const Inputs<S>&, Trace<S>& t) {
    t.scores.clear();
    for (std::size_t g = 0; g < t.q_heads.size(); ++g) {
      t.scores.push_back(t.q_heads[g] * t.k_heads[g].transpose());  // (T, T)
    }
  };
  Stage scale = [](const Inputs<S>& in, Trace<S>& t) {
    t.scaled = t.scores;                                         // n_heads x (T, T)
    for (auto& head : t.scaled) head /= std::sqrt(static_cast<S>(in.d_k()));  // the length of the dot product
  };
  Stage mask = [](const Inputs<S>& in, Trace<S>& t) {
    t.masked = t.scaled;                                         // n_heads x (T, T)
    for (auto& head : t.masked) head += causal_mask<S>(in.tokens());
  };
  Stage softmax = [](const Inputs<S>&, Trace<S>& t) {
    t.weights.clear();
    for (const auto& head : t.masked) t.weights.push_back(attest::softmax(head));  // (T, T)
  };
  Stage mix = [](const Inputs<S>&, Trace<S>& t) {
    t.heads.clear();
    for (std::size_t g = 0; g < t.weights.size(); ++g) {
      t.heads.push_back(t.weights[g] * t.v_heads[g]);            // (T, d_v)
    }
  };
  Stage merge = [](const Inputs<S>&, Trace<S>& t) { t.merged = merge_heads(t.heads); };  // (T, n_heads d_v)
  Stage output = [](const Inputs<S>& in, Trace<S>& t) {
    if (in.has_output_projection()) {
      t.y = t.merged * in.w_o;                                   // (T, d_model)
    } else {
      t.y = t.merged;                                            // (T, d_v)
    }
  };

  // Runs all nine in order.
  Trace<S> run(const Inputs<S>& in) const {
    Trace<S> trace;
    for (const Stage* stage : {&project, &split, &scores, &scale, &mask, &softmax, &mix, &merge, &output}) {
      (*stage)(in, trace);
    }
    return trace;
  }
};

// Throws std::invalid_argument with the offending shape unless the shapes fit together.
template <class S>
void check_shapes(const Inputs<S>& in) {
  const auto require = [](bool ok, const char* what) {
    if (!ok) throw std::invalid_argument(what);
  };
  require(in.n_heads >= 1, "n_heads must be at least 1");
  require(in.tokens() >= 1 && in.d_model() >= 1, "x must have at least one row and one column");
  require(in.w_q.rows() == in.d_model(), "w_q must have d_model rows");
  require(in.w_k.rows() == in.d_model() && in.w_k.cols() == in.w_q.cols(), "w_k must have the shape of w_q");
  require(in.w_v.rows() == in.d_model(), "w_v must have d_model rows");
  require(in.w_q.cols() % in.n_heads == 0 && in.w_v.cols() % in.n_heads == 0, "n_heads must divide the columns");
  require(!in.has_output_projection() || in.w_o.rows() == in.w_v.cols(), "w_o must have a row for each column of w_v");
}

// Causal multi-head self-attention with every intermediate.
template <class S>
Trace<S> causal_multi_head_attention(const Inputs<S>& in) {
  check_shapes(in);
  return Stages<S>{}.run(in);
}

// One head, no output projection. x (T, d_model), w_q and w_k (d_model, d_k), w_v (d_model, d_v) -> y (T, d_v).
template <class S>
Trace<S> causal_attention(const MatrixOf<S>& x, const MatrixOf<S>& w_q, const MatrixOf<S>& w_k, const MatrixOf<S>& w_v) {
  return causal_multi_head_attention(Inputs<S>{x, w_q, w_k, w_v, {}, 1});
}

}  // namespace attest
