#include "properties/snapshot_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace attest {
namespace {

constexpr double kLowPrecision = 3e-3;  // what float16 leaves of a number, with some room

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  }
  return largest;
}

// value = factor * wanted, for one factor; 1 unless another is asked for.
bool is_multiple(const std::vector<double>& value, const std::vector<double>& wanted, double tolerance,
                 double* factor) {
  if (value.size() != wanted.size() || value.empty()) return false;
  double c = 1;
  if (factor != nullptr) {
    double above = 0, below = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
      above += value[i] * wanted[i];
      below += wanted[i] * wanted[i];
    }
    c = above / below;
    if (!std::isfinite(c) || c == 0) return false;
    if (std::fabs(c - 1) < tolerance) c = 1;
    *factor = c;
  }
  const double allowed = tolerance * std::fabs(c) * largest_of(wanted);
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!(std::fabs(value[i] - c * wanted[i]) <= allowed)) return false;
  }
  return true;
}

// The tensor with its axes in another order.
Tensor with_axes(const Tensor& value, const std::array<std::size_t, 3>& order) {
  Tensor result;
  std::array<Index, 3> strides = {value.dims[1] * value.dims[2], value.dims[2], 1};
  for (const std::size_t axis : order) result.dims.push_back(value.dims[axis]);
  for (Index a = 0; a < result.dims[0]; ++a) {
    for (Index b = 0; b < result.dims[1]; ++b) {
      for (Index c = 0; c < result.dims[2]; ++c) {
        const Index at = a * strides[order[0]] + b * strides[order[1]] + c * strides[order[2]];
        result.values.push_back(value.values[static_cast<std::size_t>(at)]);
      }
    }
  }
  return result;
}

constexpr std::array<std::array<std::size_t, 3>, 6> kOrders = {
    {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {1, 2, 0}, {2, 1, 0}}};

// Without a batch axis: the first of two sequences, or the only one.
Tensor without_batch(Tensor value) {
  while (value.dims.size() > 2 && (value.dims[0] == 1 || value.dims.size() > 3)) {
    value.values.resize(value.values.size() / static_cast<std::size_t>(value.dims[0]));
    value.dims.erase(value.dims.begin());
  }
  return value;
}

std::vector<double> numbers_of(const Heads& heads, std::size_t first, std::size_t n) {
  std::vector<double> all;
  for (std::size_t g = first; g < first + n; ++g)
    all.insert(all.end(), heads[g].data(), heads[g].data() + heads[g].size());
  return all;
}

std::vector<double> turned_values(const Tensor& value) {
  const Matrix turned = value.matrix().transpose();
  return {turned.data(), turned.data() + turned.size()};
}

}  // namespace

RightValues::RightValues(const Inputs<double>& inputs, Dtype dtype)
    : in(inputs),
      trace(causal_multi_head_attention<double>(inputs)),
      expected(expect(inputs, dtype)),
      h(inputs.n_heads),
      T(inputs.tokens()),
      scale(1 / std::sqrt(static_cast<double>(inputs.d_k()))),
      tolerance(dtype == Dtype::float64 ? 1e-9 : 1e-4),
      vanishes(dtype == Dtype::float64 ? 700 : 87) {}

Part part_of(const Tensor& given, const Heads& heads, double tolerance, double* factor) {
  const Tensor value = without_batch(given);
  const auto n = static_cast<Index>(heads.size());
  const Index rows = heads[0].rows(), width = heads[0].cols();
  if (value.dims.size() == 3) {
    for (const auto& order : kOrders) {
      const std::array<Index, 3> dims = {value.dims[order[0]], value.dims[order[1]], value.dims[order[2]]};
      if (dims[0] > n || dims[1] != rows || dims[2] != width) continue;
      if (is_multiple(with_axes(value, order).values, numbers_of(heads, 0, static_cast<std::size_t>(dims[0])),
                      tolerance, factor))
        return dims[0] == n ? Part::all : Part::some_heads;
    }
    return Part::none;
  }
  if (value.dims.size() == 1) {
    const Matrix merged = merge_heads<double>(heads);
    return is_multiple(value.values, {merged.data(), merged.data() + merged.size()}, tolerance, factor)
               ? Part::all
               : Part::none;
  }
  if (value.dims.size() != 2) return Part::none;
  const bool upright = value.dims[0] == rows;
  if (!upright && value.dims[1] != rows) return Part::none;
  const std::vector<double> own = upright ? value.values : turned_values(value);
  const Index columns = upright ? value.dims[1] : value.dims[0];
  if (columns == width) {
    for (std::size_t g = 0; g < heads.size(); ++g) {
      if (is_multiple(own, numbers_of(heads, g, 1), tolerance, factor))
        return n == 1 ? Part::all : Part::some_heads;
    }
  } else if (columns % width == 0 && columns / width <= n) {
    const Heads first(heads.begin(), heads.begin() + columns / width);
    const Matrix merged = merge_heads<double>(first);
    if (is_multiple(own, {merged.data(), merged.data() + merged.size()}, tolerance, factor))
      return columns == n * width ? Part::all : Part::some_heads;
  }
  return Part::none;
}

bool is_rearranged(const Tensor& given, const Heads& heads, double tolerance) {
  const Tensor value = without_batch(given);
  std::vector<double> all = numbers_of(heads, 0, heads.size());
  std::sort(all.begin(), all.end());
  const double allowed = tolerance * largest_of(all);
  std::set<std::size_t> used;
  for (const double v : value.values) {
    const auto at = std::lower_bound(all.begin(), all.end(), v - allowed);
    if (at == all.end() || !(*at <= v + allowed)) return false;
    used.insert(static_cast<std::size_t>(at - all.begin()));
  }
  return 2 * used.size() > value.values.size() && value.values.size() >= 4;
}

bool has_shape_of(const Tensor& given, const Heads& heads) {
  const Tensor value = without_batch(given);
  const auto n = static_cast<Index>(heads.size());
  const Index rows = heads[0].rows(), width = heads[0].cols();
  std::vector<Index> dims = value.dims;
  std::sort(dims.begin(), dims.end());
  const auto is = [&](std::vector<Index> wanted) {
    std::sort(wanted.begin(), wanted.end());
    return dims == wanted;
  };
  return is({rows, width}) || is({rows, n * width}) || is({n, rows, width});
}

std::vector<Tensor> as_scores(const Tensor& given, const RightValues& right) {
  const Tensor value = without_batch(given);
  std::vector<Tensor> all;
  if (value.dims.size() == 2 && value.dims[0] == right.T && value.dims[1] == right.T) {
    all.push_back(value);
    all.back().dims.insert(all.back().dims.begin(), 1);
  } else if (value.dims.size() == 3) {
    for (const auto& order : kOrders) {
      const std::array<Index, 3> dims = {value.dims[order[0]], value.dims[order[1]], value.dims[order[2]]};
      const bool whole = dims[0] <= right.h && dims[1] == right.T && dims[2] == right.T;
      const bool padded = order == kOrders[0] && dims[0] == right.h && dims[1] == right.T &&
                          dims[2] > right.T && dims[2] < 2 * right.T;
      if ((whole || padded) && order[1] < order[2]) all.push_back(with_axes(value, order));
    }
  }
  return all;
}

namespace {

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
  int n_masked = 0, n_open = 0, n_zero = 0, n_bad = 0, n_past = 0;
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
    value = {{value.dims[1], value.dims[0]}, turned_values(value)};
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

bool is_constant(const Tensor& value) {
  std::set<double> different;
  for (const double v : value.values) {
    if (std::isnan(v)) return false;  // somebody's infinity times zero
    different.insert(v);
    if (different.size() > 3) return false;
  }
  return value.values.size() > 2 * different.size();
}

}  // namespace attest
