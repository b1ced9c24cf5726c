// One row of the softmax: from errors of its scores to errors of its weights and of their sum.
#include "properties/softmax_bounds.hpp"

#include <vector>

namespace attest {
namespace {

using WideRow = Eigen::Array<Wide, 1, Eigen::Dynamic>;
using RowOf = Eigen::Array<double, 1, Eigen::Dynamic>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Error of exp in units of u. Worst case seen over all of float32: glibc 1.0, Eigen's packets 2.0, NumPy 3.44, -ffast-math 3.6.
constexpr double kExpError = 8;

// exp overflows above 709.8 (float64; 88.7 in float32): a softmax without a maximum has no larger scores than this.
constexpr double kLargestExponent = 750;

// expm1 and log1p of the tiny numbers that errors are; to 1e-12 of themselves below 1e-4.
constexpr double kTiny = 1e-4;
double expm1_of(double x) { return std::fabs(x) < kTiny ? x * (1 + x / 2 * (1 + x / 3)) : std::expm1(x); }
double log1p_of(double x) { return std::fabs(x) < kTiny ? x * (1 - x / 2 * (1 - x / 1.5)) : std::log1p(x); }

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

}  // namespace

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

template RowSum weight_error(const Row<double>&, const Arithmetic&, double*);
template RowSum weight_error(const Row<Wide>&, const Arithmetic&, double*);

Precision precision(Dtype dtype) {
  if (dtype == Dtype::float32)
    return {std::ldexp(1.0, -24), static_cast<double>(std::numeric_limits<float>::min())};
  return {std::ldexp(1.0, -53), std::numeric_limits<double>::min()};
}

Arithmetic arithmetic(Dtype dtype) {
  const Precision p = precision(dtype);
  const double largest = dtype == Dtype::float32 ? static_cast<double>(std::numeric_limits<float>::max())
                                                 : std::numeric_limits<double>::max();
  return {p.unit_roundoff, p.smallest_normal, largest / 2};
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

}  // namespace attest
