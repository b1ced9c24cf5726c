// Scores, exponentials and weights by their numbers: a factor and, for each row, something added, found by least squares.
#include "properties/snapshot_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace attest {
namespace {

constexpr double kLowPrecision = 3e-3;  // what float16 leaves of a number, with some room

// One number for each entry: the score's own product, as the heads assigned to the matrices of `value` have it.
struct Aligned {
  const Tensor& value;
  const Heads& products;
  std::size_t first_head;
  bool logarithm;
  double least;  // of an exponential

  Index n() const { return value.dims[0]; }
  Index rows() const { return value.dims[1]; }
  Index cols() const { return value.dims[2]; }
  double at(Index g, Index i, Index j) const {
    const double v = value.values[static_cast<std::size_t>((g * rows() + i) * cols() + j)];
    if (!logarithm) return v;
    return v < least ? -std::numeric_limits<double>::infinity() : std::log(v);  // less has lost digits
  }
  double product(Index g, Index i, Index j) const {
    return products[first_head + static_cast<std::size_t>(g)](i, j);
  }
};

struct FitRow {  // the entries of a row that a fit uses
  Index g, i;
  std::vector<Index> columns;
};

// Least squares over rows that may each be shifted; nothing unless it explains all of them.
std::optional<double> factor_of(const Aligned& a, const std::vector<FitRow>& lines, bool shifted,
                                double tolerance, std::map<std::pair<Index, Index>, double>& shifts) {
  double above = 0, below = 0;
  int n_free = -1;
  std::map<std::pair<Index, Index>, std::pair<double, double>> means;
  for (const FitRow& line : lines) {
    double own = 0, product = 0;
    const auto n = static_cast<double>(line.columns.size());
    for (const Index j : line.columns)
      own += a.at(line.g, line.i, j), product += a.product(line.g, line.i, j);
    if (!shifted) own = product = 0;
    means[{line.g, line.i}] = {own / n, product / n};
    n_free += static_cast<int>(line.columns.size()) - shifted;
    for (const Index j : line.columns) {
      const double p = a.product(line.g, line.i, j) - product / n;
      above += (a.at(line.g, line.i, j) - own / n) * p;
      below += p * p;
    }
  }
  if (n_free < 2 || !(below > 0)) return std::nullopt;
  const double c = above / below;
  double largest = 0;
  for (const FitRow& line : lines) {
    for (const Index j : line.columns) {
      largest = std::max(
          {largest, std::fabs(a.at(line.g, line.i, j)), std::fabs(c * a.product(line.g, line.i, j))});
    }
  }
  if (!std::isfinite(c) || std::fabs(c) * std::sqrt(below) < tolerance * largest) return std::nullopt;
  for (const FitRow& line : lines) {
    const auto [own, product] = means[{line.g, line.i}];
    shifts[{line.g, line.i}] = own - c * product;
    for (const Index j : line.columns) {
      if (!(std::fabs(a.at(line.g, line.i, j) - own - c * (a.product(line.g, line.i, j) - product)) <=
            tolerance * largest))
        return std::nullopt;
    }
  }
  return c;
}

// The entries up to the diagonal, above it, or both, that are numbers of their own: infinities and what is filled in again and again are not.
enum class Side { visible, hidden, both };
std::vector<FitRow> fit_rows_of(const Aligned& a, Side side) {
  std::map<double, int> times;
  for (Index g = 0; g < a.n(); ++g) {
    for (Index i = 0; i < a.rows(); ++i) {
      for (Index j = 0; j < a.rows(); ++j) {
        if (std::isfinite(a.at(g, i, j))) ++times[a.at(g, i, j)];
      }
    }
  }
  std::vector<FitRow> lines;
  for (Index g = 0; g < a.n(); ++g) {
    for (Index i = 0; i < a.rows(); ++i) {
      FitRow line{g, i, {}};
      for (Index j = side == Side::hidden ? i + 1 : 0; j < (side == Side::visible ? i + 1 : a.rows()); ++j) {
        const double v = a.at(g, i, j);
        // A row's maximum taken off leaves a 0 in every row.
        if (std::isfinite(v) && (v == 0 ? side == Side::both || j <= i : times[v] < 3))
          line.columns.push_back(j);
      }
      if (!line.columns.empty()) lines.push_back(line);
    }
  }
  return lines;
}

std::optional<ScoresFit> fit_aligned(const Aligned& a, const RightValues& right) {
  std::map<std::pair<Index, Index>, double> shifts;
  std::optional<double> c;
  bool is_close = false;
  for (const double tolerance : {right.tolerance, kLowPrecision}) {
    // Of exponentials, too, most of what is seen may be too small for a number: all that is left is needed.
    for (const Side side : {a.logarithm ? Side::both : Side::visible, Side::visible, Side::hidden}) {
      const std::vector<FitRow> lines = fit_rows_of(a, side);
      for (const bool shifted : {false, true}) {
        if (!c && !(a.logarithm && !shifted)) {
          shifts.clear();
          c = factor_of(a, lines, shifted, tolerance, shifts);
          is_close = tolerance == kLowPrecision;
        }
      }
    }
  }
  if (!c) return std::nullopt;
  ScoresFit fit;
  fit.factor = *c;
  fit.is_close = is_close;
  int n_masked = 0, n_open = 0, n_zero = 0, n_bad = 0, n_past = 0, n_other = 0;
  const double tolerance = is_close ? kLowPrecision : right.tolerance;
  for (Index g = 0; g < a.n(); ++g) {
    for (Index i = 0; i < a.rows(); ++i) {
      const auto shift = shifts.find({g, i});
      double peak = -std::numeric_limits<double>::infinity(), largest = 0;
      for (Index j = 0; j <= i; ++j) peak = std::max(peak, a.at(g, i, j));
      for (Index j = 0; j < a.rows(); ++j) largest = std::max(largest, std::fabs(*c * a.product(g, i, j)));
      if (shift != shifts.end()) largest = std::max(largest, std::fabs(shift->second));
      for (Index j = 0; j < a.cols(); ++j) {
        const double v = a.at(g, i, j);
        const bool known = shift != shifts.end() && j < a.rows();
        const double predicted = known ? *c * a.product(g, i, j) + shift->second : 0;
        const bool as_predicted = known && std::fabs(v - predicted) <= tolerance * largest;
        if (j <= i) {
          n_past += j < i && as_predicted;
          const bool underflow = a.logarithm && std::isinf(v) && predicted < 1 - right.vanishes;
          if (!as_predicted && !underflow && known && !(v > -1e4)) fit.visible_masked = true;
          if (!known && !(v > -1e4)) fit.visible_masked = true;
          n_other += known && !as_predicted && !underflow && v != 0 && v > -1e4;
        } else if (as_predicted) {
          ++n_open;
        } else if (a.logarithm && known && std::isinf(v) && predicted < 1 - right.vanishes) {
          continue;  // too small for a number, hidden or not
        } else if (v < 0 && (std::isinf(v) || peak - v > right.vanishes)) {
          ++n_masked;
        } else if (v == 0 && !a.logarithm) {
          ++n_zero;
        } else {
          ++n_bad;
        }
      }
    }
  }
  if (n_other > 0) return std::nullopt;          // clipped, or made otherwise where nothing is hidden
  if (n_past + n_open < 2) return std::nullopt;  // the diagonal alone is as right in the transposed matrix
  fit.hidden = n_bad > 0 || (n_zero > 0 && n_masked + n_open > 0) ? Hidden::wrong
               : n_zero > 0                                       ? Hidden::zero
               : n_open == 0                                      ? Hidden::masked
               : n_masked == 0                                    ? Hidden::open
                                                                  : Hidden::partly;
  return fit;
}

}  // namespace

std::optional<ScoresFit> fit_scores(const Tensor& value, const Heads& products, const RightValues& right,
                                    bool logarithm) {
  const std::size_t n = static_cast<std::size_t>(value.dims[0]), all = products.size();
  std::optional<ScoresFit> best;
  for (std::size_t first = 0; first + n <= all; ++first) {
    const auto fit = fit_aligned({value, products, first, logarithm, std::exp(-right.vanishes)}, right);
    if (fit && (!best || (best->is_close && !fit->is_close))) best = fit;
  }
  return best;
}

bool is_right_weights(const Tensor& value, const RightValues& right, bool is_complete) {
  const Index n = value.dims[0], T = right.T;
  const double tiny = right.tolerance * right.tolerance;
  if (value.dims[2] != T) return false;
  for (Index first = 0; first + n <= right.h; ++first) {
    bool same = true;
    int n_rows = 0;
    for (Index g = 0; g < n && same; ++g) {
      const auto own = value.slice(g);
      const auto head = static_cast<std::size_t>(first + g);
      for (Index i = 0; i < T && same; ++i) {
        if (!is_complete && own.row(i).isZero(0)) continue;
        ++n_rows;
        for (Index j = 0; j < T && same; ++j) {
          const double error = right.expected.weight_error[head](i, j);
          same = std::fabs(own(i, j) - right.expected.weights[head](i, j)) <= 4 * error + tiny;
        }
      }
    }
    if (same && n_rows > 0) return true;
  }
  return false;
}

namespace {

// (T, w): some keys next to one another, of all tokens, with those hidden that must be.
std::optional<double> fit_columns(const Tensor& value, const RightValues& right) {
  const Index width = value.dims[1];
  const Tensor own{{1, right.T, width}, value.values};
  for (const Matrix& scores : right.trace.scores) {
    for (Index first = 0; first + width <= right.T; ++first) {
      const Heads products = {scores.middleCols(first, width)};
      const Aligned a{own, products, 0, false, 0};
      std::vector<FitRow> rows;
      for (Index i = 0; i < right.T; ++i) {
        rows.push_back({0, i, {}});
        for (Index j = 0; j < width; ++j) {
          if (std::isfinite(a.at(0, i, j))) rows.back().columns.push_back(j);
        }
        if (rows.back().columns.empty()) rows.pop_back();
      }
      std::map<std::pair<Index, Index>, double> shifts;
      if (const auto c = factor_of(a, rows, false, right.tolerance, shifts)) return c;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> fit_row(const Tensor& given, const RightValues& right, bool logarithm) {
  Tensor value = given;
  if (value.dims.size() == 1) value.dims = {1, value.dims[0]};
  if (value.dims.size() != 2) return std::nullopt;
  if (value.dims[0] == right.T && value.dims[1] >= 3 && value.dims[1] < right.T && !logarithm)
    return fit_columns(value, right);
  if (value.dims[1] == right.h && value.dims[0] != right.h)
    value = {{value.dims[1], value.dims[0]}, Tensor::from(Matrix(value.matrix().transpose())).values};
  const Index n = value.dims[0], length = value.dims[1];
  if ((n != 1 && n != right.h) || length < 3 || length > right.T) return std::nullopt;
  for (Index first = 0; first + n <= right.h; ++first) {
    for (Index i = length - 1; i < right.T; ++i) {
      Tensor own{{n, 1, length}, value.values};
      Heads products;
      for (Index g = 0; g < n; ++g)
        products.push_back(right.trace.scores[static_cast<std::size_t>(first + g)].row(i).head(length));
      const Aligned a{own, products, 0, logarithm, std::exp(-right.vanishes)};
      std::vector<FitRow> lines;
      for (Index g = 0; g < n; ++g) {
        lines.push_back({g, 0, std::vector<Index>(static_cast<std::size_t>(length))});
        std::iota(lines.back().columns.begin(), lines.back().columns.end(), Index{0});
      }
      for (const bool shifted : {false, true}) {
        std::map<std::pair<Index, Index>, double> shifts;
        if (const auto c = factor_of(a, lines, shifted, right.tolerance, shifts)) return c;
      }
    }
  }
  return std::nullopt;
}

}  // namespace attest
