// A softmax computed in one pass over tiles of keys ("online"), with a slip in how the tiles are put together.
// Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018): with the running maximum m, sum l and output o,
//     m' = max(m, max of the tile),   l' = l e^(m - m') + sum e^(s - m'),   o' = o e^(m - m') + sum e^(s - m') v.
#include "properties/mutants/zoo.hpp"

#include <cmath>

namespace attest {
namespace {

enum class Slip {
  none_of_output,   // o is not multiplied by e^(m - m')
  none_at_all,      // neither is l
  divided_by_tile,  // o is divided by l at every tile instead of once
  divided_by_each,  // ... and at those in the future, too
};

// One row: o of all tiles. masked (T, T), v (T, d_v) -> (1, d_v).
template <class S>
MatrixOf<S> online_row(const MatrixOf<S>& masked, const MatrixOf<S>& v, Index i, Index tile, Slip slip) {
  const bool divides = slip == Slip::divided_by_tile || slip == Slip::divided_by_each;
  S peak = -std::numeric_limits<S>::infinity(), sum = 0;
  MatrixOf<S> o = MatrixOf<S>::Zero(1, v.cols());
  for (Index first = 0; first <= i; first += tile) {
    const Index n = std::min(tile, i + 1 - first);
    const S before = peak;
    peak = std::max(peak, masked.row(i).segment(first, n).maxCoeff());
    const S shrink = std::exp(before - peak);
    if (slip != Slip::none_at_all) sum *= shrink;
    if (divides) o *= shrink;
    for (Index j = first; j < first + n; ++j) {
      const S e = std::exp(masked(i, j) - peak);
      sum += e;
      o += e * v.row(j);
    }
    if (divides) o /= sum;
  }
  if (slip == Slip::divided_by_each) {
    for (Index first = (i / tile + 1) * tile; first < masked.cols(); first += tile) o /= sum;
  }
  return divides ? o : MatrixOf<S>(o / sum);
}

auto online(Slip slip) {
  return [slip](double tile) {
    return [slip, n = static_cast<Index>(tile)](auto& stages) {
      stages.mix = [slip, n](const auto&, auto& t) {
        t.heads = t.v_heads;
        for (std::size_t g = 0; g < t.heads.size(); ++g) {
          for (Index i = 0; i < t.heads[g].rows(); ++i)
            t.heads[g].row(i) = online_row(t.masked[g], t.v_heads[g], i, n, slip);
        }
      };
    };
  };
}

const std::vector<double> kTiles = {4, 1, 2, 3, 8, 16, 32, 64, 128};

Mutant normalised_per_tile() {
  Mutant mutant = with_parameter({"online-normalise-per-tile",
                                  "online",
                                  "the running output is divided by the running sum at every tile",
                                  {5, 1, 1},
                                  {"values/mix-of-weights"}},
                                 "tile", kTiles, online(Slip::divided_by_tile));
  for (const double tile : kTiles)
    mutant.others.emplace_back(tile, stage_change(online(Slip::divided_by_each)(tile)));
  return mutant;
}

}  // namespace

std::vector<Mutant> online_mutants() {
  constexpr std::string_view kMix = "values/mix-of-weights";
  return {
      with_parameter({"online-no-rescale",
                      "online",
                      "the running output is not rescaled at a new maximum",
                      {5, 1, 1},
                      {kMix}},
                     "tile", kTiles, online(Slip::none_of_output)),
      with_parameter({"online-stale-maximum",
                      "online",
                      "neither the running output nor the running sum is rescaled at a new maximum",
                      {5, 1, 1},
                      {kMix}},
                     "tile", kTiles, online(Slip::none_at_all)),
      normalised_per_tile(),
  };
}

}  // namespace attest
