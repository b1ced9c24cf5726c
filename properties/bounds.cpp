// How far a correct implementation may be from the exact result, element by element.
//
// There is no tolerance here. Each bound follows one quantity through the nine stages and adds what correctly rounded
// arithmetic can do to it, in whatever order and with whatever formulation the implementation chose: any order of summation,
// fused multiply-add, blocked products, 1/sqrt(d_k) multiplied early, late or in two halves, softmax with or without a
// maximum, through logarithms, in base 2 or online, weights applied before the value projection. Formulations that round
// differently are listed in styles.cpp; bounds_soak.cpp holds all of them against these bounds (docs/soaks.md has the figures).
//
// Notation: u is the unit roundoff and tau the smallest normal number of the implementation's type. A quantity with a hat is
// the computed one. Per head: q, k, v (T, d_k | d_k | d_v); row i of the weights has n = i + 1 visible terms.
// gamma(n) = n u / (1 - n u) bounds n roundings applied in any order (Higham, "Accuracy and Stability of Numerical
// Algorithms", 2nd ed., lemma 3.1). Products that fall below tau lose their relative accuracy: tau is added once for each.
//
// A bound is infinite where nothing can be asked: the exact result is not finite, or a correct implementation may overflow on
// the way there (a product of magnitudes beyond half of the type's range). Whoever compares leaves such elements out; NaN
// against an infinite bound is no failure.
//
// The bounds are computed in double: they need a few digits only. Differences near u are therefore never formed by subtracting
// from 1 (expm1, log1p), and scores near 1/u stay in Wide.
#include "properties/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace attest {
namespace {

using WideRow = Eigen::Array<Wide, 1, Eigen::Dynamic>;
using RowOf = Eigen::Array<double, 1, Eigen::Dynamic>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Error of exp in units of u. Worst case seen over all of float32: glibc 1.0, Eigen's packets 2.0, NumPy 3.44, -ffast-math 3.6.
constexpr double kExpError = 8;

// Roundings of a scaled score beyond those of its dot product. sqrt, its reciprocal and the multiplication are 3; d_k^(-1/4)
// on both sides is 2 powers and 2 multiplications, and a power is good to about 1 u; base 2 adds the rounding of log2(e) and
// one multiplication.
constexpr Index kScaleRoundings = 8;

// exp overflows above 709.8 (float64; 88.7 in float32): a softmax without a maximum has no larger scores than this.
constexpr double kLargestExponent = 750;

// What the implementation's type does to a number.
struct Arithmetic {
  double u;
  double tau;
  double
      range;  // half of the largest finite number: magnitudes up to here can be summed in any order without overflow

  double gamma(Index n) const { return gamma(static_cast<double>(n)); }
  double gamma(double n) const { return n * u / (1 - n * u); }
};

Arithmetic arithmetic(Dtype dtype) {
  const Precision p = precision(dtype);
  const double largest = dtype == Dtype::float32 ? static_cast<double>(std::numeric_limits<float>::max())
                                                 : static_cast<double>(std::numeric_limits<double>::max());
  return {static_cast<double>(p.unit_roundoff), static_cast<double>(p.smallest_normal), largest / 2};
}

// Everything that is not a number, and everything beyond `range`, becomes infinite. inf * 0 inside a product ends here.
void give_up_beyond(double range, Matrix& m) {
  m = m.unaryExpr([range](double value) { return value <= range ? value : kInfinity; });
}

// ---- project: x w -----------------------------------------------------------------------------------------------------

// |x||w|: the sum of the magnitudes of a projection's terms.
Matrix projection_magnitude(const Matrix& abs_x, const Matrix& w, const Arithmetic& a) {
  Matrix magnitude = abs_x * w.cwiseAbs();  // (T, columns of w)
  give_up_beyond(a.range, magnitude);
  return magnitude;
}

// |x w - hat| <= gamma(d_model) |x||w| + d_model tau: d_model products and d_model - 1 sums, in any order.
Matrix projection_error(const Matrix& magnitude, Index d_model, const Arithmetic& a) {
  return (a.gamma(d_model) * magnitude.array() + static_cast<double>(d_model) * a.tau).matrix();
}

// ---- scores, scale: q k^T / sqrt(d_k) ---------------------------------------------------------------------------------

// With hat q = q + dq, hat k = k + dk, the exact product of the hats is off by |q||dk| + |dq||k| + |dq||dk|; computing it
// rounds d_k products, their sum and the scaling, each relative to |hat q||hat k|. Every pair is bounded, hidden ones too.
Matrix score_error(const Matrix& q, const Matrix& q_error, const Matrix& k, const Matrix& k_error,
                   const Arithmetic& a) {
  const Index d_k = q.cols();
  const Matrix q_size = q.cwiseAbs() + q_error;  // (T, d_k)  |hat q| at most
  const Matrix k_size = k.cwiseAbs() + k_error;  // (T, d_k)
  Matrix size = q_size * k_size.transpose();     // (T, T)    before scaling
  give_up_beyond(a.range, size);
  // |q||dk| + |dq||k| + |dq||dk| = |q||dk| + |dq|(|k| + |dk|): two products instead of three
  Matrix error = q.cwiseAbs() * k_error.transpose() + q_error * k_size.transpose();  // (T, T)
  error = ((error + a.gamma(d_k + kScaleRoundings) * size) / std::sqrt(static_cast<double>(d_k))).array() +
          static_cast<double>(d_k) * a.tau;
  give_up_beyond(std::numeric_limits<double>::max(), error);
  return error;
}

// ---- mask, softmax: one row -------------------------------------------------------------------------------------------

// expm1 and log1p of the tiny numbers that errors are; to 1e-12 of themselves below 1e-4.
constexpr double kTiny = 1e-4;
double expm1_of(double x) { return std::fabs(x) < kTiny ? x * (1 + x / 2 * (1 + x / 3)) : std::expm1(x); }
double log1p_of(double x) { return std::fabs(x) < kTiny ? x * (1 - x / 2 * (1 - x / 1.5)) : std::log1p(x); }

// The visible part of one row of one head.
template <class S>
struct Row {
  const S* scores;        // (n)  s_j
  const double* errors;   // (n)  E_j >= |hat s_j - s_j|
  const double* weights;  // (n)  w_j
  Index n;
  S peak = 0;            // s_max
  double largest = 0;    // max_j w_j = exp(0) / sum_k exp(s_k - s_max)
  double max_error = 0;  // max_j E_j

  Row(const S* s, const double* e, const double* w, Index terms)
      : scores(s),
        errors(e),
        weights(w),
        n(terms),
        peak(*std::max_element(s, s + terms)),
        largest(*std::max_element(w, w + terms)),
        max_error(*std::max_element(e, e + terms)) {}

  S below_peak(Index j) const { return scores[j] - peak; }  // <= 0
  // ln w_j, also where w_j itself is 0.
  double log_weight(Index j) const { return static_cast<double>(below_peak(j)) + std::log(largest); }
};

// How much ln w_j can move when every score moves by up to its E. The exact softmax of hat s has
//     hat w_j = e^(s_j + e_j) / sum_k e^(s_k + e_k),    ln(hat w_j / w_j) = e_j - ln sum_k w_k e^(e_k).
// It is largest with e_j = E_j and every other e_k = -E_k, smallest the other way round:
//     up_j   =  E_j - ln(sum_k w_k e^(-E_k) + w_j (e^(E_j) - e^(-E_j)))
//     down_j = -E_j - ln(sum_k w_k e^(E_k)  - w_j (e^(E_j) - e^(-E_j)))
// This is the exact maximum over the box, not a first-order estimate. A row of one term cannot move: both are 0.
// With sum_k w_k = 1 the logarithms are of 1 + (a small sum), so that small errors keep their digits.
template <class S>
void shift_small(const Row<S>& row, double* shift) {
  double all_grown = 0, all_shrunk = 0;  // sum_k w_k (e^E - 1), sum_k w_k (e^-E - 1)
  for (Index k = 0; k < row.n; ++k) {
    const double grown = row.weights[k] * expm1_of(row.errors[k]);
    const double shrunk = row.weights[k] * expm1_of(-row.errors[k]);
    all_grown += grown;
    all_shrunk += shrunk;
    shift[k] = grown - shrunk;  // w_k (e^E - e^-E), until the sums are known
  }
  for (Index j = 0; j < row.n; ++j) {
    const double up = row.errors[j] - log1p_of(all_shrunk + shift[j]);
    const double down = row.errors[j] + log1p_of(all_grown - shift[j]);
    shift[j] = std::max({up, down, 0.0});
  }
}

Wide log_sum(Wide a, Wide b) {  // ln(e^a + e^b); either may be -inf
  const Wide larger = std::max(a, b);
  if (larger == -kInfinity) return larger;
  return larger + std::log1p(std::exp(static_cast<double>(std::min(a, b) - larger)));
}

// The same in logarithms, for errors so large (E > 1/2: scores near 1/u) that e^E overflows and the sums above cancel:
//     1 / hat w_j = 1 + sum_{k != j} e^(s_k - s_j -+ (E_k + E_j)).
// The sum without j is joined from what stands before and after j, so a row costs O(n) and nothing is subtracted.
template <class S>
void shift_large(const Row<S>& row, double* shift) {
  const Index n = row.n;
  const WideRow exact =
      Eigen::Map<const Eigen::Array<S, 1, Eigen::Dynamic>>(row.scores, n).template cast<Wide>() -
      static_cast<Wide>(row.peak);
  const WideRow errors = Eigen::Map<const RowOf>(row.errors, n).cast<Wide>();
  const auto without_each = [n](const WideRow& exponents) {  // (n)  ln sum_{k != j} e^(exponents_k)
    WideRow others = WideRow::Constant(n, -kInfinity);
    for (Index j = 1; j < n; ++j) others(j) = log_sum(others(j - 1), exponents(j - 1));
    Wide after = -kInfinity;
    for (Index j = n - 1; j >= 0; --j) {
      others(j) = log_sum(others(j), after);
      after = log_sum(after, exponents(j));
    }
    return others;
  };
  const WideRow low = without_each(exact - errors);
  const WideRow high = without_each(exact + errors);
  const Wide log_total = -std::log(row.largest);  // ln sum_k e^(s_k - s_max)
  for (Index j = 0; j < n; ++j) {
    const Wide up = log_total - exact(j) - log_sum(0, low(j) - exact(j) - errors(j));
    const Wide down = log_sum(0, high(j) - exact(j) + errors(j)) + exact(j) - log_total;
    shift[j] = static_cast<double>(std::max({up, down, Wide{0}}));
  }
}

struct RowSum {
  double above = kInfinity;
  double below = kInfinity;
};

// Bounds the weights of one row into `error` (n), and their sum.
template <class S>
RowSum weight_error(const Row<S>& row, const Arithmetic& a, double* error) {
  const double u = a.u;
  const auto terms = static_cast<double>(row.n);
  const double log_n = std::log(terms);

  // exp in the numerator and in every term below, the sum, and a division (or a reciprocal and a product): 2 eta + 3. An
  // online softmax rescales what it has at each new maximum: an exp, a subtraction, a product and a sum for each of n - 1
  // steps. That contains the n - 1 roundings of a plain sum.
  const double exponentials = (2 * kExpError + 3) * u + a.gamma((terms - 1) * (kExpError + 3));

  // exp(s - logsumexp): the logarithm is a number of size |s_max| + ln n, rounded once when it is made and once more in the
  // subtraction; logaddexp, term by term, rounds n times. Past |s_max| ~ 1/u the rounding swallows ln 2 at each step at
  // most, doubled for the subtraction (2 ln 2 < 1.4), and only a softmax without a maximum sees the size itself: below 750.
  const double roundings = std::max(2.0, terms);
  const double size = std::fabs(static_cast<double>(row.peak)) + row.max_error;
  const double logarithms = std::min(roundings * u * (size + log_n + 1),
                                     1.4 * (terms - 1) + roundings * u * (kLargestExponent + log_n + 1));

  // The row's sum: the scores' errors move weight from one term to another but not the sum; what is left is the rounding of
  // the differences (numerator and denominator) and of the softmax itself. n terms lost to underflow, in n steps.
  RowSum sum;
  const double lost = terms * terms * a.tau;
  const double log_sum_error = 2 * u * log_n + logarithms + exponentials;
  sum.above = expm1_of(log_sum_error) + lost;
  sum.below = -expm1_of(-log_sum_error) + lost;

  if (row.max_error <= 0.5) {
    shift_small(row, error);
  } else {
    shift_large(row, error);
  }
  // |hat w - w| <= w (e^r - 1). Past r = 1 from ln w instead: w e^r is 0 * inf at huge scores. And no correct softmax gives
  // a weight above 1 by more than its own roundings.
  const double most = 1 + exponentials + roundings * u * (std::min(size, kLargestExponent) + log_n + 1);
  double all = 0;
  for (Index j = 0; j < row.n; ++j) {
    double r = error[j] + logarithms + exponentials;
    // s_j - s_max is rounded relative to itself: R_j u in the numerator. In the denominator each term counts with its weight,
    // and sum_k w_k (s_max - s_k) = entropy - ln(sum_k e^(s_k - s_max)) <= ln n for any softmax.
    if (row.n > 1) r += u * (3 * row.max_error - static_cast<double>(row.below_peak(j)) + log_n);
    const double moved =
        r <= 1 ? row.weights[j] * expm1_of(r) : std::exp(std::min(row.log_weight(j) + r, 1.0));
    error[j] =
        std::min(moved, most) + (terms + 2) * a.tau;  // underflow: one per exp and sum, division, product
    all += error[j];
  }
  // What one weight gains the others lose, but for the error of the sum: near a one-hot row this is far smaller.
  for (Index j = 0; j < row.n; ++j) error[j] = std::min(error[j], all - error[j] + sum.above);
  return sum;
}

// ---- mix: weights v ---------------------------------------------------------------------------------------------------

// dW|v| from the weights; and n + d_model + 1 roundings of sum_j w_j sum_l |x_jl||w_v_l|, the magnitude that both orders,
// (weights) (x w_v) and (weights x) w_v, round against, with 1 for a normalisation done last. Underflow: d_model tau in each
// v_j, n tau in the sum over tokens, the same on the way through weights x, then multiplied by w_v; and hidden weights that
// are tiny instead of 0 (Eigen's packet exp(-inf) is a subnormal), multiplied by their values.
Matrix head_error(const Matrix& weights_error, const Matrix& v, const Matrix& mixed_magnitude,
                  const Matrix& w_v, const Arithmetic& a) {
  const Index n_tokens = v.rows();
  const auto d_model = static_cast<double>(w_v.rows());
  const Matrix v_size = v.cwiseAbs();                                                            // (T, d_v)
  Matrix error = weights_error * v_size + a.gamma(n_tokens + w_v.rows() + 1) * mixed_magnitude;  // (T, d_v)
  const RowOf w_v_size = w_v.cwiseAbs().colwise().sum().array();                                 // (d_v)
  RowOf hidden = RowOf::Zero(v.cols());  // (d_v)  sum of |v_j| over hidden j
  for (Index i = n_tokens - 1; i >= 0; --i) {
    const auto n = static_cast<double>(i + 1);
    const double constant = d_model * (1 + weights_error.row(i).sum()) + n;
    error.row(i).array() += a.tau * (constant + hidden + n * w_v_size);
    hidden += v_size.row(i).array();
  }
  give_up_beyond(std::numeric_limits<double>::max(), error);
  return error;
}

// ---- output: merged w_o -----------------------------------------------------------------------------------------------

// dO|w_o| from the heads, then the rounding of one more product: n_heads d_v terms relative to |hat O||w_o|. An
// implementation that folds w_v w_o first rounds d_v + n_heads times against the magnitude before cancellation instead.
Matrix y_error(const Matrix& merged, const Matrix& merged_error, const Matrix& mixed_magnitude,
               const Matrix& w_o, Index n_heads, const Arithmetic& a) {
  const Index width = merged.cols();                            // n_heads d_v
  const Matrix w_o_size = w_o.cwiseAbs();                       // (n_heads d_v, d_out)
  Matrix size = (merged.cwiseAbs() + merged_error) * w_o_size;  // (T, d_out)
  give_up_beyond(a.range, size);
  const Matrix folded = a.gamma(width / n_heads + n_heads) * (mixed_magnitude * w_o_size);  // (T, d_out)
  Matrix error = merged_error * w_o_size + (a.gamma(width) * size).cwiseMax(folded);        // (T, d_out)
  error.array() += static_cast<double>(width) * a.tau;
  give_up_beyond(std::numeric_limits<double>::max(), error);
  return error;
}

}  // namespace

Precision precision(Dtype dtype) {
  if (dtype == Dtype::float32)
    return {std::ldexp(1.0, -24), static_cast<double>(std::numeric_limits<float>::min())};
  return {std::ldexp(1.0, -53), std::numeric_limits<double>::min()};
}

namespace {

template <class S>
Heads rounded(const HeadsOf<S>& heads) {
  Heads narrow;
  for (const auto& head : heads) narrow.push_back(head.template cast<double>());
  return narrow;
}

Trace<double> rounded(Trace<double> trace) { return trace; }

Trace<double> rounded(const Trace<Wide>& t) {
  return {t.q.cast<double>(), t.k.cast<double>(), t.v.cast<double>(), rounded(t.q_heads),
          rounded(t.k_heads), rounded(t.v_heads), rounded(t.scores),  rounded(t.scaled),
          rounded(t.masked),  rounded(t.weights), rounded(t.heads),   t.merged.cast<double>(),
          t.y.cast<double>()};
}

// Beyond this the quick answer's own rounding would count.
constexpr double kLargestQuickError = 1e-3;

// The bounds that go with a trace, in whichever type that was computed. Nothing where the trace was computed in the
// implementation's own precision and scores are so large, or not finite, that this is not good enough.
template <class S>
std::optional<Expected> bounded(const Trace<S>& exact, const Inputs<double>& in, const Arithmetic& a) {
  constexpr bool quick = std::is_same_v<S, double>;
  const Index n_tokens = in.tokens();
  Expected expected;
  expected.trace = rounded(exact);
  const Trace<double>& trace = expected.trace;

  const Matrix abs_x = in.x.cwiseAbs();  // (T, d_model)
  const auto split_error = [&](const Matrix& w) {
    return split_heads<double>(projection_error(projection_magnitude(abs_x, w, a), in.d_model(), a),
                               in.n_heads);
  };
  const Heads q_error = split_error(in.w_q);  // n_heads x (T, d_k)
  const Heads k_error = split_error(in.w_k);  // n_heads x (T, d_k)
  const Heads v_magnitude =
      split_heads(projection_magnitude(abs_x, in.w_v, a), in.n_heads);  // n_heads x (T, d_v)
  const Heads w_v = split_heads(in.w_v, in.n_heads);                    // n_heads x (d_model, d_v)

  expected.row_above.setConstant(in.n_heads, n_tokens, kInfinity);  // (n_heads, T)
  expected.row_below.setConstant(in.n_heads, n_tokens, kInfinity);
  Heads mixed_magnitude;  // n_heads x (T, d_v)
  for (Index g = 0; g < in.n_heads; ++g) {
    const Matrix& weights = trace.weights[g];                                                    // (T, T)
    Matrix errors = score_error(trace.q_heads[g], q_error[g], trace.k_heads[g], k_error[g], a);  // (T, T)
    Matrix weights_error = Matrix::Zero(n_tokens, n_tokens);                                     // (T, T)
    for (Index i = 0; i < n_tokens; ++i) {
      // Hidden scores count here: one that overflows makes NaN of an additive mask, and that is nobody's bug.
      const bool finite = errors.row(i).allFinite() && weights.row(i).allFinite();
      if (quick && !(finite && errors.row(i).maxCoeff() <= kLargestQuickError)) return std::nullopt;
      if (!finite) {
        weights_error.row(i).head(i + 1).setConstant(kInfinity);
        continue;
      }
      const RowSum sum = weight_error(Row<S>(&exact.scaled[g](i, 0), &errors(i, 0), &weights(i, 0), i + 1), a,
                                      &weights_error(i, 0));
      expected.row_above(g, i) = sum.above;
      expected.row_below(g, i) = sum.below;
    }
    mixed_magnitude.push_back((weights + weights_error) * v_magnitude[g]);
    expected.head_error.push_back(
        head_error(weights_error, trace.v_heads[g], mixed_magnitude.back(), w_v[g], a));
    expected.score_error.push_back(std::move(errors));
    expected.weight_error.push_back(std::move(weights_error));
  }
  expected.y_error = merge_heads(expected.head_error);  // (T, n_heads d_v)
  if (in.has_output_projection()) {
    expected.y_error =
        y_error(trace.merged, expected.y_error, merge_heads(mixed_magnitude), in.w_o, in.n_heads, a);
  }
  return expected;
}

}  // namespace

Expected expect(const Inputs<double>& in, Dtype dtype, Care care) {
  const Arithmetic a = arithmetic(dtype);
  if (care == Care::quick) {
    if (auto expected = bounded(causal_multi_head_attention(in), in, a)) return std::move(*expected);
  }
  return *bounded(causal_multi_head_attention(in.cast<Wide>()), in, a);
}

ExpectedSoftmax expect_softmax(const Matrix& scores, Dtype dtype) {
  const Arithmetic a = arithmetic(dtype);
  const Index n_tokens = scores.rows(), n_keys = scores.cols();
  ExpectedSoftmax expected{Matrix::Zero(n_tokens, n_keys), Matrix::Zero(n_tokens, n_keys),
                           Matrix::Zero(1, n_tokens), Matrix::Zero(1, n_tokens)};
  for (Index i = 0; i < n_tokens; ++i) {
    std::vector<Index> visible;
    for (Index j = 0; j < n_keys; ++j) {
      if (scores(i, j) != -kInfinity) visible.push_back(j);
    }
    const auto n = static_cast<Index>(visible.size());
    WideRow row(n);  // (n)
    for (Index k = 0; k < n; ++k) row(k) = static_cast<Wide>(scores(i, visible[static_cast<std::size_t>(k)]));
    WideRow weights = (row - row.maxCoeff()).exp();
    weights /= weights.sum();
    const RowOf narrow = weights.cast<double>(), exact = RowOf::Zero(n);
    RowOf error(n);
    const RowSum sum = weight_error(Row<Wide>(row.data(), exact.data(), narrow.data(), n), a, error.data());
    for (Index k = 0; k < n; ++k) {
      const Index j = visible[static_cast<std::size_t>(k)];
      expected.weights(i, j) = narrow(k);
      // Below the smallest normal number a weight counts as zero.
      expected.weight_error(i, j) = std::max(error(k), a.tau);
    }
    expected.row_above(0, i) = sum.above;
    expected.row_below(0, i) = sum.below;
  }
  return expected;
}

double largest_score(const Inputs<double>& in) {
  const Matrix q = in.x * in.w_q;  // (T, n_heads d_k)
  const Matrix k = in.x * in.w_k;  // (T, n_heads d_k)
  const Index d_k = in.d_k();
  double largest = 0;
  for (Index g = 0; g < in.n_heads; ++g) {
    const Matrix scores = q.middleCols(g * d_k, d_k) * k.middleCols(g * d_k, d_k).transpose();  // (T, T)
    if (!scores.allFinite()) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, scores.cwiseAbs().maxCoeff());
  }
  return largest / std::sqrt(static_cast<double>(d_k));
}

}  // namespace attest
