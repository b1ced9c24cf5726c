#include "properties/snapshot_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>

namespace attest {
namespace {

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (const double v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  }
  return largest;
}

// value = factor * wanted, for one factor; 1 unless another is asked for.
bool is_multiple(std::span<const double> value, std::span<const double> wanted, double tolerance,
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
  Tensor result = Tensor::zeros({value.dims[order[0]], value.dims[order[1]], value.dims[order[2]]});
  double* to = result.values.data();
  const std::array<Index, 3> strides = {value.dims[1] * value.dims[2], value.dims[2], 1};
  for (Index a = 0; a < result.dims[0]; ++a) {
    for (Index b = 0; b < result.dims[1]; ++b) {
      for (Index c = 0; c < result.dims[2]; ++c) {
        const Index at = a * strides[order[0]] + b * strides[order[1]] + c * strides[order[2]];
        *to++ = value.values[static_cast<std::size_t>(at)];
      }
    }
  }
  return result;
}

constexpr std::array<std::array<std::size_t, 3>, 6> kOrders = {
    {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {1, 2, 0}, {2, 1, 0}}};

// Without a batch axis: the first of two sequences, or the only one.
Tensor without_batch(Tensor value) {
  while (value.dims.size() > 2 && (value.dims[0] == 1 || value.dims.size() > 3)) value = value.first();
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
  const Numbers own = upright ? value.values : turned_values(value);
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
  Dims dims = value.dims;
  std::sort(dims.begin(), dims.end());
  const auto is = [&](Dims wanted) {
    std::sort(wanted.begin(), wanted.end());
    return dims == wanted;
  };
  return is({rows, width}) || is({rows, n * width}) || is({n, rows, width});
}

std::vector<Tensor> as_scores(const Tensor& given, const RightValues& right) {
  const Tensor value = without_batch(given);
  std::vector<Tensor> all;
  if (value.dims.size() == 2 && value.dims[0] == right.T && value.dims[1] == right.T) {
    all.push_back({{1, right.T, right.T}, value.values});
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

bool is_alike(const Tensor& a, const Tensor& b) {
  return a.values.size() == b.values.size() &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(),
                    [](double v, double w) { return v == w || (std::isnan(v) && std::isnan(w)); });
}

Heads transposed_heads(const Heads& heads) {
  Heads turned;
  for (const Matrix& head : heads) turned.emplace_back(head.transpose());
  return turned;
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
