// The model answer. Notation and shapes as in attention.hpp.
#include "reference/attention.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attest {

template <class S>
MatrixOf<S> softmax(const MatrixOf<S>& scores) {
  MatrixOf<S> weights(scores.rows(), scores.cols());  // (T, S)
  for (Index i = 0; i < scores.rows(); ++i) {
    const S peak = scores.row(i).maxCoeff();  // this row's own maximum: no exponent above 0
    for (Index j = 0; j < scores.cols(); ++j) {
      weights(i, j) =
          std::exp(scores(i, j) - peak);  // in [0, 1]; scalar exp: Eigen's own gives exp(-inf) > 0
    }
    weights.row(i) /= weights.row(i).sum();  // the peak alone adds 1: never 0/0
  }
  return weights;
}

template <class S>
MatrixOf<S> causal_mask(Index n_tokens) {
  MatrixOf<S> mask = MatrixOf<S>::Zero(n_tokens, n_tokens);  // (T, T)
  for (Index i = 0; i < n_tokens; ++i) {
    mask.row(i).tail(n_tokens - i - 1).setConstant(-std::numeric_limits<S>::infinity());
  }
  return mask;
}

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

template <class S>
MatrixOf<S> merge_heads(const HeadsOf<S>& heads) {
  const Index d_head = heads.front().cols();
  MatrixOf<S> merged(heads.front().rows(), d_head * static_cast<Index>(heads.size()));
  for (std::size_t g = 0; g < heads.size(); ++g) {
    merged.middleCols(static_cast<Index>(g) * d_head, d_head) = heads[g];
  }
  return merged;
}

template <class S>
Stages<S>::Stages() {
  project = [](const Inputs<S>& in, Trace<S>& t) {
    t.q = in.x * in.w_q;  // (T, n_heads d_k)
    t.k = in.x * in.w_k;  // (T, n_heads d_k)
    t.v = in.x * in.w_v;  // (T, n_heads d_v)
  };
  split = [](const Inputs<S>& in, Trace<S>& t) {
    t.q_heads = split_heads(t.q, in.n_heads);  // n_heads x (T, d_k)
    t.k_heads = split_heads(t.k, in.n_heads);  // n_heads x (T, d_k)
    t.v_heads = split_heads(t.v, in.n_heads);  // n_heads x (T, d_v)
  };
  scores = [](const Inputs<S>&, Trace<S>& t) {
    t.scores.clear();
    for (std::size_t g = 0; g < t.q_heads.size(); ++g) {
      t.scores.push_back(t.q_heads[g] * t.k_heads[g].transpose());  // (T, T)
    }
  };
  scale = [](const Inputs<S>& in, Trace<S>& t) {
    t.scaled = t.scores;                                                      // n_heads x (T, T)
    for (auto& head : t.scaled) head /= std::sqrt(static_cast<S>(in.d_k()));  // the length of the dot product
  };
  mask = [](const Inputs<S>& in, Trace<S>& t) {
    t.masked = t.scaled;  // n_heads x (T, T)
    for (auto& head : t.masked) head += causal_mask<S>(in.tokens());
  };
  softmax = [](const Inputs<S>&, Trace<S>& t) {
    t.weights.clear();
    for (const auto& head : t.masked) t.weights.push_back(attest::softmax(head));  // (T, T)
  };
  mix = [](const Inputs<S>&, Trace<S>& t) {
    t.heads.clear();
    for (std::size_t g = 0; g < t.weights.size(); ++g) {
      t.heads.push_back(t.weights[g] * t.v_heads[g]);  // (T, d_v)
    }
  };
  merge = [](const Inputs<S>&, Trace<S>& t) { t.merged = merge_heads(t.heads); };  // (T, n_heads d_v)
  output = [](const Inputs<S>& in, Trace<S>& t) {
    if (in.has_output_projection()) {
      t.y = t.merged * in.w_o;  // (T, d_model)
    } else {
      t.y = t.merged;  // (T, d_v)
    }
  };
}

template <class S>
Trace<S> Stages<S>::run(const Inputs<S>& in) const {
  Trace<S> trace;
  for (const Stage* stage : {&project, &split, &scores, &scale, &mask, &softmax, &mix, &merge, &output}) {
    (*stage)(in, trace);
  }
  return trace;
}

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
  require(in.w_q.cols() % in.n_heads == 0 && in.w_v.cols() % in.n_heads == 0,
          "n_heads must divide the columns");
  require(!in.has_output_projection() || in.w_o.rows() == in.w_v.cols(),
          "w_o must have a row for each column of w_v");
}

template <class S>
Trace<S> causal_multi_head_attention(const Inputs<S>& in) {
  check_shapes(in);
  return Stages<S>{}.run(in);
}

template <class S>
Trace<S> causal_attention(const MatrixOf<S>& x, const MatrixOf<S>& w_q, const MatrixOf<S>& w_k,
                          const MatrixOf<S>& w_v) {
  return causal_multi_head_attention(Inputs<S>{x, w_q, w_k, w_v, {}, 1});
}

template struct Stages<float>;
template struct Stages<double>;
template struct Stages<long double>;

#define ATTEST_INSTANTIATE(S)                                                                    \
  template MatrixOf<S> softmax(const MatrixOf<S>&);                                              \
  template MatrixOf<S> causal_mask<S>(Index);                                                    \
  template HeadsOf<S> split_heads(const MatrixOf<S>&, Index);                                    \
  template MatrixOf<S> merge_heads(const HeadsOf<S>&);                                           \
  template void check_shapes(const Inputs<S>&);                                                  \
  template Trace<S> causal_multi_head_attention(const Inputs<S>&);                               \
  template Trace<S> causal_attention(const MatrixOf<S>&, const MatrixOf<S>&, const MatrixOf<S>&, \
                                     const MatrixOf<S>&);
ATTEST_INSTANTIATE(float)
ATTEST_INSTANTIATE(double)
ATTEST_INSTANTIATE(long double)
#undef ATTEST_INSTANTIATE

}  // namespace attest
