#include "properties/styles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace attest {
namespace {

constexpr double kAnyScore = std::numeric_limits<double>::infinity();

// One type wider: what a float accumulated in double, or a double in long double, is computed in.
template <class S>
using Wider = std::conditional_t<std::is_same_v<S, float>, double, long double>;

template <class S>
constexpr S kHidden = -std::numeric_limits<S>::infinity();

// ---- products: the order in which a dot product is summed ---------------------------------------------------------------

enum class Product { eigen, sequential, reversed, pairwise, four_sums, fused, outer, wide };

template <class S>
S pairwise_sum(const std::vector<S>& terms, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return terms[begin];
  const std::size_t middle = begin + (end - begin) / 2;
  return pairwise_sum(terms, begin, middle) + pairwise_sum(terms, middle, end);
}

template <class S, class A, class B>
S dot(const A& a, const B& b, Product how) {
  const Index n = a.size();
  S sum = 0;
  switch (how) {
    case Product::reversed:
      for (Index l = n - 1; l >= 0; --l) sum += a(l) * b(l);
      return sum;
    case Product::pairwise: {
      std::vector<S> terms(static_cast<std::size_t>(n));
      for (Index l = 0; l < n; ++l) terms[l] = a(l) * b(l);
      return pairwise_sum(terms, 0, terms.size());
    }
    case Product::four_sums: {  // what a vectorising compiler makes of a reduction
      S lanes[4] = {0, 0, 0, 0};
      for (Index l = 0; l < n; ++l) lanes[l % 4] += a(l) * b(l);
      return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    }
    case Product::fused:
      for (Index l = 0; l < n; ++l) sum = std::fma(a(l), b(l), sum);
      return sum;
    case Product::wide: {
      Wider<S> total = 0;
      for (Index l = 0; l < n; ++l) total += static_cast<Wider<S>>(a(l)) * static_cast<Wider<S>>(b(l));
      return static_cast<S>(total);
    }
    default:
      for (Index l = 0; l < n; ++l) sum += a(l) * b(l);
      return sum;
  }
}

template <class S>
MatrixOf<S> product(const MatrixOf<S>& a, const MatrixOf<S>& b, Product how) {
  if (how == Product::eigen) return a * b;
  MatrixOf<S> result = MatrixOf<S>::Zero(a.rows(), b.cols());
  if (how == Product::outer) {  // einsum's loop: the summed index outside
    for (Index l = 0; l < a.cols(); ++l) result += a.col(l) * b.row(l);
    return result;
  }
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < b.cols(); ++j) result(i, j) = dot<S>(a.row(i), b.col(j), how);
  }
  return result;
}

// ---- softmax of one row; hidden entries are -inf or a large negative fill ------------------------------------------------

template <class S>
using Row = Eigen::Array<S, 1, Eigen::Dynamic>;

template <class S>
Row<S> scalar_exp(const Row<S>& row) {
  return row.unaryExpr([](S value) { return std::exp(value); });
}

enum class Softmax {
  divide,
  reciprocal,
  log_sum,
  log_shifted,
  log_add,
  no_maximum,
  log_no_maximum,
  base_2,
  log_base_2,
  power_of_e,
  ratios,
  packet,
  tiny_hidden
};

template <class S>
Row<S> softmax_row(const Row<S>& s, Softmax how) {
  const S peak = s.maxCoeff();
  switch (how) {
    case Softmax::divide:
      break;
    case Softmax::reciprocal: {
      const Row<S> e = scalar_exp<S>(s - peak);
      return e * (S{1} / e.sum());
    }
    case Softmax::log_sum:
      return scalar_exp<S>(s - (peak + std::log(scalar_exp<S>(s - peak).sum())));
    case Softmax::log_shifted: {
      const Row<S> shifted = s - peak;
      return scalar_exp<S>(shifted - std::log(scalar_exp<S>(shifted).sum()));
    }
    case Softmax::log_add: {  // numpy.logaddexp.reduce
      S total = s(0);
      for (Index j = 1; j < s.size(); ++j) {
        const S larger = std::max(total, s(j));
        if (std::isfinite(larger)) total = larger + std::log1p(std::exp(std::min(total, s(j)) - larger));
      }
      return scalar_exp<S>(s - total);
    }
    case Softmax::no_maximum: {
      const Row<S> e = scalar_exp<S>(s);
      return e / e.sum();
    }
    case Softmax::log_no_maximum:
      return scalar_exp<S>(s - std::log(scalar_exp<S>(s).sum()));
    case Softmax::base_2: {
      const Row<S> scaled = s * static_cast<S>(1.442695040888963407359924681L);
      const Row<S> e = (scaled - scaled.maxCoeff()).unaryExpr([](S value) { return std::exp2(value); });
      return e / e.sum();
    }
    case Softmax::log_base_2: {
      const Row<S> scaled = s * static_cast<S>(1.442695040888963407359924681L);
      const S top = scaled.maxCoeff();
      const Row<S> e = (scaled - top).unaryExpr([](S value) { return std::exp2(value); });
      return (scaled - (top + std::log2(e.sum()))).unaryExpr([](S value) { return std::exp2(value); });
    }
    case Softmax::power_of_e: {
      const Row<S> e = (s - peak).unaryExpr(
          [](S value) { return std::pow(static_cast<S>(2.718281828459045235L), value); });
      return e / e.sum();
    }
    case Softmax::ratios: {  // w_j = 1 / sum_k e^(s_k - s_j)
      Row<S> weights = Row<S>::Zero(s.size());
      for (Index j = 0; j < s.size(); ++j) {
        if (std::isfinite(s(j))) weights(j) = S{1} / scalar_exp<S>(s - s(j)).sum();
      }
      return weights;
    }
    case Softmax::packet: {  // vectorised: exp(-inf) is a subnormal in packet lanes and 0 in the rest
      const Row<S> e = (s - peak).exp();
      return e / e.sum();
    }
    case Softmax::tiny_hidden: {  // the same wherever it is compiled
      const S tiny = std::is_same_v<S, float> ? static_cast<S>(2.9e-39L) : static_cast<S>(5.6e-309L);
      const Row<S> e =
          (s - peak).unaryExpr([tiny](S value) { return std::isinf(value) ? tiny : std::exp(value); });
      return e / e.sum();
    }
  }
  const Row<S> e = scalar_exp<S>(s - peak);
  return e / e.sum();
}

// ---- the stages with a choice at each ------------------------------------------------------------------------------------

enum class Scale { divide, multiply, before, both_sides, merged };
enum class Mask { infinity, fill, lowest, afterwards, global_maximum };
enum class Mix { values, inputs_first, folded };

struct Recipe {
  Product product = Product::eigen;
  Softmax softmax = Softmax::divide;
  Scale scale = Scale::divide;
  Mask mask = Mask::infinity;
  Mix mix = Mix::values;
};

template <class S>
MatrixOf<S> scaled_scores(const Inputs<S>& in, const MatrixOf<S>& q, const MatrixOf<S>& k, Index g,
                          const Recipe& recipe) {
  const Index d_k = in.d_k();
  const S root = std::sqrt(static_cast<S>(d_k));
  MatrixOf<S> q_head = q.middleCols(g * d_k, d_k);  // (T, d_k)
  MatrixOf<S> k_head = k.middleCols(g * d_k, d_k);  // (T, d_k)
  switch (recipe.scale) {
    case Scale::divide:
      return product<S>(q_head, k_head.transpose(), recipe.product) / root;
    case Scale::multiply:
      return product<S>(q_head, k_head.transpose(), recipe.product) * (S{1} / root);
    case Scale::before:
      return product<S>(q_head * (S{1} / root), k_head.transpose(), recipe.product);
    case Scale::both_sides: {
      const S factor = std::pow(static_cast<S>(d_k), static_cast<S>(-0.25));
      return product<S>(q_head * factor, k_head.transpose() * factor, recipe.product);
    }
    case Scale::merged:
      break;
  }
  const MatrixOf<S> w_qk =
      product<S>(in.w_q.middleCols(g * d_k, d_k), in.w_k.middleCols(g * d_k, d_k).transpose(),
                 recipe.product);  // (d_model, d_model)
  return product<S>(product<S>(in.x, w_qk, recipe.product), in.x.transpose(), recipe.product) / root;
}

template <class S>
MatrixOf<S> masked_softmax(MatrixOf<S> scores, const Recipe& recipe) {
  const Index n_tokens = scores.rows();
  const S fill = recipe.mask == Mask::fill     ? static_cast<S>(-1e9)
                 : recipe.mask == Mask::lowest ? std::numeric_limits<S>::lowest()
                                               : kHidden<S>;
  if (recipe.mask == Mask::global_maximum) scores.array() -= scores.maxCoeff();
  for (Index i = 0; i < n_tokens; ++i) {
    if (recipe.mask != Mask::afterwards) scores.row(i).tail(n_tokens - i - 1).setConstant(fill);
    Row<S> weights = softmax_row<S>(scores.row(i).array(), recipe.softmax);  // (T)
    if (recipe.mask == Mask::afterwards) {
      weights.tail(n_tokens - i - 1) = 0;
      weights /= weights.sum();
    }
    scores.row(i) = weights.matrix();
  }
  return scores;
}

template <class S>
MatrixOf<S> project_out(const Inputs<S>& in, const MatrixOf<S>& merged, Product how) {
  return in.has_output_projection() ? product(merged, in.w_o, how) : merged;
}

template <class S>
Answer<S> from_recipe(const Inputs<S>& in, const Recipe& recipe) {
  const Index d_v = in.d_v();
  const MatrixOf<S> q = product(in.x, in.w_q, recipe.product);  // (T, n_heads d_k)
  const MatrixOf<S> k = product(in.x, in.w_k, recipe.product);  // (T, n_heads d_k)
  const MatrixOf<S> v = product(in.x, in.w_v, recipe.product);  // (T, n_heads d_v)
  Answer<S> answer;
  MatrixOf<S> merged(in.tokens(), in.n_heads * d_v);
  MatrixOf<S> folded = MatrixOf<S>::Zero(in.tokens(), in.d_out());
  for (Index g = 0; g < in.n_heads; ++g) {
    const MatrixOf<S> weights = masked_softmax<S>(scaled_scores(in, q, k, g, recipe), recipe);  // (T, T)
    const MatrixOf<S> w_v = in.w_v.middleCols(g * d_v, d_v);  // (d_model, d_v)
    if (recipe.mix == Mix::inputs_first) {
      merged.middleCols(g * d_v, d_v) =
          product<S>(product<S>(weights, in.x, recipe.product), w_v, recipe.product);
    } else {
      merged.middleCols(g * d_v, d_v) = product<S>(weights, v.middleCols(g * d_v, d_v), recipe.product);
    }
    if (recipe.mix == Mix::folded && in.has_output_projection()) {
      const MatrixOf<S> w_vo =
          product<S>(w_v, in.w_o.middleRows(g * d_v, d_v), recipe.product);  // (d_model, d_out)
      folded += product<S>(weights, product<S>(in.x, w_vo, recipe.product), recipe.product);
    }
    answer.weights.push_back(weights);
  }
  answer.y = recipe.mix == Mix::folded && in.has_output_projection()
                 ? folded
                 : project_out(in, merged, recipe.product);
  return answer;
}

// ---- implementations with a structure of their own -----------------------------------------------------------------------

// Scalar loops over visible terms only, computed in Work and rounded to S at the end. Work = double for float is a list-based
// Python implementation.
template <class S, class Work>
Answer<S> plain_loops(const Inputs<S>& inputs) {
  const Inputs<Work> in = inputs.template cast<Work>();
  const Index n_tokens = in.tokens(), d_k = in.d_k(), d_v = in.d_v();
  const MatrixOf<Work> q = product(in.x, in.w_q, Product::sequential);
  const MatrixOf<Work> k = product(in.x, in.w_k, Product::sequential);
  const MatrixOf<Work> v = product(in.x, in.w_v, Product::sequential);
  Answer<S> answer;
  MatrixOf<Work> merged = MatrixOf<Work>::Zero(n_tokens, in.n_heads * d_v);
  for (Index g = 0; g < in.n_heads; ++g) {
    MatrixOf<Work> weights = MatrixOf<Work>::Zero(n_tokens, n_tokens);
    for (Index i = 0; i < n_tokens; ++i) {
      Work peak = kHidden<Work>, total = 0;
      for (Index j = 0; j <= i; ++j) {
        weights(i, j) =
            dot<Work>(q.row(i).segment(g * d_k, d_k), k.row(j).segment(g * d_k, d_k), Product::sequential) /
            std::sqrt(static_cast<Work>(d_k));
        peak = std::max(peak, weights(i, j));
      }
      for (Index j = 0; j <= i; ++j) total += weights(i, j) = std::exp(weights(i, j) - peak);
      for (Index j = 0; j <= i; ++j) {
        weights(i, j) /= total;
        for (Index l = g * d_v; l < (g + 1) * d_v; ++l) merged(i, l) += weights(i, j) * v(j, l);
      }
    }
    answer.weights.push_back(weights.template cast<S>());
  }
  answer.y = project_out(in, merged, Product::sequential).template cast<S>();
  return answer;
}

// Softmax in one pass over blocks of keys, as fused attention kernels do: a running maximum, and a rescaling of what has been
// summed whenever it rises. (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.)
template <class S, Index kBlock>
Answer<S> online(const Inputs<S>& in) {
  const Index n_tokens = in.tokens(), d_k = in.d_k(), d_v = in.d_v();
  const MatrixOf<S> q = in.x * in.w_q, k = in.x * in.w_k, v = in.x * in.w_v;
  Answer<S> answer;
  MatrixOf<S> merged(n_tokens, in.n_heads * d_v);
  for (Index g = 0; g < in.n_heads; ++g) {
    const MatrixOf<S> scores = q.middleCols(g * d_k, d_k) * k.middleCols(g * d_k, d_k).transpose() /
                               std::sqrt(static_cast<S>(d_k));  // (T, T)
    MatrixOf<S> weights = MatrixOf<S>::Zero(n_tokens, n_tokens);
    for (Index i = 0; i < n_tokens; ++i) {
      S peak = kHidden<S>, total = 0;
      Row<S> sum = Row<S>::Zero(d_v);
      for (Index j = 0; j <= i; j += kBlock) {
        const Index size = std::min(kBlock, i + 1 - j);
        const S higher = std::max(peak, scores.row(i).segment(j, size).maxCoeff());
        const S rescale = std::exp(peak - higher);
        const Row<S> e = scalar_exp<S>(scores.row(i).segment(j, size).array() - higher);
        total = total * rescale + e.sum();
        sum = sum * rescale + (e.matrix() * v.block(j, g * d_v, size, d_v)).array();
        peak = higher;
      }
      weights.row(i).head(i + 1) = (scalar_exp<S>(scores.row(i).head(i + 1).array() - peak) / total).matrix();
      merged.row(i).segment(g * d_v, d_v) = (sum / total).matrix();
    }
    answer.weights.push_back(weights);
  }
  answer.y = project_out(in, merged, Product::eigen);
  return answer;
}

// One token at a time against the keys and values kept so far; values summed before they are divided by the total.
template <class S>
Answer<S> token_by_token(const Inputs<S>& in) {
  const Index n_tokens = in.tokens(), d_k = in.d_k(), d_v = in.d_v();
  MatrixOf<S> k(n_tokens, in.n_heads * d_k), v(n_tokens, in.n_heads * d_v),
      merged(n_tokens, in.n_heads * d_v);
  Answer<S> answer;
  answer.weights.assign(static_cast<std::size_t>(in.n_heads), MatrixOf<S>::Zero(n_tokens, n_tokens));
  answer.y.resize(n_tokens, in.d_out());
  for (Index i = 0; i < n_tokens; ++i) {
    const MatrixOf<S> q = in.x.row(i) * in.w_q;  // (1, n_heads d_k)
    k.row(i) = in.x.row(i) * in.w_k;
    v.row(i) = in.x.row(i) * in.w_v;
    for (Index g = 0; g < in.n_heads; ++g) {
      const MatrixOf<S> scores = q.middleCols(g * d_k, d_k) * k.block(0, g * d_k, i + 1, d_k).transpose() /
                                 std::sqrt(static_cast<S>(d_k));  // (1, i + 1)
      const Row<S> e = scalar_exp<S>(scores.array() - scores.maxCoeff());
      const S total = e.sum();
      merged.row(i).segment(g * d_v, d_v) = e.matrix() * v.block(0, g * d_v, i + 1, d_v) / total;
      answer.weights[g].row(i).head(i + 1) = (e / total).matrix();
    }
    answer.y.row(i) = project_out<S>(in, merged.row(i), Product::eigen);
  }
  return answer;
}

// Column-major throughout, one joint projection, scores transposed: every BLAS-like kernel sees other shapes and strides.
template <class S>
Answer<S> transposed(const Inputs<S>& in) {
  using Columns = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
  const Index n_tokens = in.tokens(), d_k = in.d_k(), d_v = in.d_v(), qk = in.w_q.cols();
  Columns w(in.d_model(), 2 * qk + in.w_v.cols());  // (d_model, n_heads (2 d_k + d_v))
  w << in.w_q, in.w_k, in.w_v;
  const Columns qkv = w.transpose() * in.x.transpose();  // (n_heads (2 d_k + d_v), T)
  Answer<S> answer;
  Columns merged(in.n_heads * d_v, n_tokens);
  for (Index g = 0; g < in.n_heads; ++g) {
    Columns scores =
        qkv.middleRows(qk + g * d_k, d_k).transpose() * qkv.middleRows(g * d_k, d_k);  // (T keys, T queries)
    scores /= std::sqrt(static_cast<S>(d_k));
    for (Index i = 0; i < n_tokens; ++i) {
      scores.col(i).tail(n_tokens - i - 1).setConstant(kHidden<S>);
      scores.col(i) = softmax_row<S>(scores.col(i).transpose().array(), Softmax::divide).matrix().transpose();
    }
    merged.middleRows(g * d_v, d_v) = qkv.middleRows(2 * qk + g * d_v, d_v) * scores;  // (d_v, T)
    answer.weights.push_back(scores.transpose());
  }
  if (in.has_output_projection()) {
    answer.y = (in.w_o.transpose() * merged).transpose();
  } else {
    answer.y = merged.transpose();
  }
  return answer;
}

Style style(std::string name, Recipe recipe, double max_score = kAnyScore) {
  return {std::move(name), max_score, [recipe](const Inputs<double>& in) { return from_recipe(in, recipe); },
          [recipe](const Inputs<float>& in) { return from_recipe(in, recipe); }};
}

}  // namespace

const std::vector<Style>& correct_styles() {
  static const std::vector<Style> styles = {
      style("eigen", {}),
      style("loops", {.product = Product::sequential, .scale = Scale::multiply}),
      style("loops-reversed", {.product = Product::reversed, .scale = Scale::before}),
      style("pairwise-sums", {.product = Product::pairwise, .scale = Scale::multiply}),
      style("four-sums", {.product = Product::four_sums}),
      style("fused-multiply-add", {.product = Product::fused, .softmax = Softmax::reciprocal}),
      style("einsum", {.product = Product::outer}),
      style("wide-accumulators", {.product = Product::wide, .softmax = Softmax::log_sum}),
      style("scale-both-sides", {.scale = Scale::both_sides}),
      style("log-sum-exp", {.softmax = Softmax::log_sum}),
      style("log-softmax-shifted", {.softmax = Softmax::log_shifted}),
      style("logaddexp", {.softmax = Softmax::log_add}),
      style("no-maximum", {.softmax = Softmax::no_maximum}, 60),
      style("log-no-maximum", {.softmax = Softmax::log_no_maximum}, 60),
      style("base-2", {.softmax = Softmax::base_2}),
      style("log-base-2", {.softmax = Softmax::log_base_2}),
      style("power-of-e", {.softmax = Softmax::power_of_e}),
      style("ratios", {.softmax = Softmax::ratios}),
      style("vectorised-exp", {.softmax = Softmax::packet}),
      style("tiny-hidden-weights", {.softmax = Softmax::tiny_hidden}),
      style("fill-minus-1e9", {.mask = Mask::fill}, 1e4),
      style("fill-lowest", {.mask = Mask::lowest}, 1e30),
      style("mask-and-renormalise", {.mask = Mask::afterwards}, 20),
      style("global-maximum", {.softmax = Softmax::no_maximum, .mask = Mask::global_maximum}, 20),
      style("weights-times-x-first", {.mix = Mix::inputs_first}),
      style("folded-value-and-output", {.mix = Mix::folded}),
      {"online", kAnyScore, online<double, 1>, online<float, 1>},
      {"online-blocks", kAnyScore, online<double, 3>, online<float, 3>},
      {"token-by-token", kAnyScore, token_by_token<double>, token_by_token<float>},
      {"transposed", kAnyScore, transposed<double>, transposed<float>},
      {"plain-loops", kAnyScore, plain_loops<double, double>, plain_loops<float, float>},
      {"wider-type", kAnyScore, plain_loops<double, long double>, plain_loops<float, double>},
  };
  return styles;
}

const Style& merged_product_style() {
  static const Style merged = style("merged-query-and-key", {.scale = Scale::merged});
  return merged;
}

}  // namespace attest
