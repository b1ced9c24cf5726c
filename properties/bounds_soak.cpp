// The bounds against every correct style, on generated inputs of every regime: `bounds_soak [runs] [seed]`.
//
// One run is one style on one input. Prints, for each style and for each regime, how many answers were flagged and the
// largest error/bound of the weights, the row sums, the heads' outputs (y when w_o is left out), y, and y under truncation;
// exits 1 when a correct answer was flagged. The merged product is shown and not counted.
// Figures of past runs: docs/soaks.md.
#include "properties/bounds.hpp"
#include "properties/styles.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

namespace {

using namespace attest;

// ---- inputs -------------------------------------------------------------------------------------------------------------

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * std::generate_canonical<double, 53>(engine_);
  }
  Index between(Index low, Index high) {  // both included
    return low + static_cast<Index>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  double power_of_10(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  double normal() {  // Box-Muller: the same numbers with every standard library
    return std::sqrt(-2 * std::log(1 - uniform(0, 1))) * std::cos(6.283185307179586 * uniform(0, 1));
  }
  Matrix normals(Index rows, Index cols) {
    return Matrix::NullaryExpr(rows, cols, [this](Index, Index) { return normal(); });
  }
  Matrix integers(Index rows, Index cols) {
    return Matrix::NullaryExpr(rows, cols,
                               [this](Index, Index) { return static_cast<double>(between(-4, 4)); });
  }

 private:
  std::mt19937_64 engine_;
};

constexpr std::array kRegimes = {"integers",     "gaussian",     "cancellation",
                                 "near-ties",    "scores to 60", "scores to 1e4",
                                 "dominant key", "huge x tiny",  "zero prefix"};
enum Regime {
  integers,
  gaussian,
  cancellation,
  near_ties,
  scores_60,
  scores_1e4,
  dominant_key,
  huge_tiny,
  zero_prefix
};

// Pairs of features that nearly cancel in every projection.
void cancel(Inputs<double>& in, Draw& draw) {
  const Index half = in.d_model() / 2;
  const double gap = draw.power_of_10(-5, 0);
  const auto nearly = [&](const auto& block) {
    return block.cwiseProduct(
        (draw.normals(block.rows(), block.cols()) * gap).unaryExpr([](double e) { return 1 + e; }));
  };
  in.x.middleCols(half, half) = nearly(in.x.leftCols(half)).eval();
  for (Matrix* w : {&in.w_q, &in.w_k, &in.w_v}) w->middleRows(half, half) = -nearly(w->topRows(half)).eval();
  in.x *= draw.power_of_10(-1, 2);
}

// Weights near the top of the range meet inputs below its bottom.
void meet_extremes(Inputs<double>& in, Draw& draw, Dtype dtype) {
  const bool narrow = dtype == Dtype::float32;
  const auto tiny = [&] { return narrow ? draw.power_of_10(-44, -36) : draw.power_of_10(-322, -306); };
  const auto huge = [&] { return narrow ? draw.power_of_10(10, 22) : draw.power_of_10(100, 180); };
  switch (draw.between(0, 3)) {
    case 0:
      in.w_q *= huge(), in.w_k *= tiny();
      break;
    case 1:
      in.w_v *= tiny(), in.w_o *= huge();
      break;
    case 2:
      in.x *= tiny(), in.w_q *= huge(), in.w_k *= std::sqrt(huge()), in.w_v *= huge();
      break;
    default:
      in.w_k *= tiny(), in.w_v *= huge(), in.w_o *= tiny();
      for (double& value : in.w_v.reshaped()) value *= draw.between(0, 1) == 0 ? 1 : 1e-30;
  }
}

Inputs<double> generate(Draw& draw, Regime regime, Dtype dtype) {
  const bool large = draw.between(0, 49) == 0;
  const Index n_heads = draw.between(1, 3), d_k = draw.between(1, large ? 16 : 8),
              n_tokens = draw.between(1, large ? 40 : 13);
  const bool alike = draw.between(0, 1) ==
                     0;  // half of the shapes are the usual ones, with d_v = d_k and d_model = n_heads d_k
  const Index d_v = alike ? d_k : draw.between(1, 8), d_model = alike ? n_heads * d_k : draw.between(1, 16);
  const Index d_out = alike ? d_model : draw.between(1, 9);
  Inputs<double> in{draw.normals(n_tokens, d_model),      draw.normals(d_model, n_heads * d_k),
                    draw.normals(d_model, n_heads * d_k), draw.normals(d_model, n_heads * d_v),
                    draw.normals(n_heads * d_v, d_out),   n_heads};
  double cap = 20;  // on max |score|; 0: none
  switch (regime) {
    case integers:
      for (Matrix* m : {&in.x, &in.w_q, &in.w_k, &in.w_v, &in.w_o}) *m = draw.integers(m->rows(), m->cols());
      break;
    case gaussian:
      break;
    case cancellation:
      cancel(in, draw);
      break;
    case near_ties: {
      const Matrix first = in.x.row(0);
      in.x = first.replicate(n_tokens, 1) + draw.power_of_10(-8, -2) * draw.normals(n_tokens, d_model);
      break;
    }
    case scores_60:
      cap = 60;
      break;
    case scores_1e4:
      cap = 1e4;
      break;
    case dominant_key: {  // all inputs positive, w_q = -c I: every score is far below 0, the first key largest or smallest
      cap = 0;
      in.x = in.x.unaryExpr([&](double) { return draw.uniform(0.1, 1.1); });
      if (draw.uniform(0, 1) < 0.7) in.x.row(0) = in.x.colwise().maxCoeff().eval() * (1 + draw.uniform(0, 1));
      for (Matrix* m : {&in.w_q, &in.w_k, &in.w_v, &in.w_o}) m->setIdentity();
      in.w_q *= -draw.power_of_10(3, 20);
      break;
    }
    case huge_tiny:
      cap = 0;
      in.x *= std::pow(10.0, static_cast<double>(draw.between(-2, 2)));
      meet_extremes(in, draw, dtype);
      break;
    case zero_prefix:
      in.x.topRows(draw.between(0, n_tokens - 1)).setZero();
      in.x *= 1e6;
      if (draw.uniform(0, 1) < 0.4) cap = 0;
      break;
  }
  if (draw.between(0, 7) == 0) in.w_o.resize(0, 0);
  if (dtype == Dtype::float32) in = in.cast<float>().cast<double>();
  const double score = largest_score(in);
  if (cap > 0 && score > 0 && (score > cap || cap > 20))
    in.w_q *= std::exp2(std::floor(std::log2(cap / score)));
  return dtype == Dtype::float32 ? in.cast<float>().cast<double>() : in;
}

// ---- comparison ---------------------------------------------------------------------------------------------------------

struct Ratios {
  double weights = 0, rows = 0, heads = 0, y = 0, truncation = 0;
  double worst() const { return std::max({weights, rows, heads, y, truncation}); }
};

// error / bound; infinite when it is no number; an infinite bound asks nothing.
double ratio(Wide error, Wide bound) {
  if (std::isinf(bound) || error == 0) return 0;
  const auto r = static_cast<double>(std::abs(error) / bound);
  return std::isnan(r) ? std::numeric_limits<double>::infinity() : r;
}

template <class Computed, class Exact, class Bound>
double largest_ratio(const Computed& computed, const Exact& exact, const Bound& bound) {
  double largest = 0;
  for (Index i = 0; i < computed.rows(); ++i) {
    for (Index j = 0; j < computed.cols(); ++j) {
      largest = std::max(
          largest, ratio(static_cast<Wide>(computed(i, j)) - static_cast<Wide>(exact(i, j)), bound(i, j)));
    }
  }
  return largest;
}

// Weights and their sums; hidden ones may be tiny instead of 0, no more.
template <class S>
void compare_weights(const HeadsOf<S>& weights, const Expected& exact, double smallest_normal, Ratios& r) {
  for (std::size_t g = 0; g < weights.size(); ++g) {
    for (Index i = 0; i < weights[g].rows(); ++i) {
      const auto row = weights[g].row(i).template cast<double>().eval();  // (T)
      for (Index j = 0; j < row.size(); ++j) {
        const double bound = j <= i ? exact.weight_error[g](i, j) : smallest_normal;
        r.weights = std::max(r.weights, ratio(row(j) - exact.weights[g](i, j), bound));
      }
      const Wide off = row.head(i + 1).template cast<Wide>().sum() - 1;
      const auto& side = off > 0 ? exact.row_above() : exact.row_below();
      r.rows = std::max(r.rows, ratio(off, side(static_cast<Index>(g), i)));
    }
  }
}

Inputs<double> first_tokens(Inputs<double> in, Index t) {
  in.x = in.x.topRows(t).eval();
  return in;
}

// The inputs of one round with what is expected of them: whole, cut after some tokens, and without the output projection.
struct Round {
  Dtype dtype = Dtype::float64;
  Inputs<double> in, prefix, unprojected;
  Expected expected, expected_prefix;
};

template <class S>
Ratios run(const Style& style, const Round& round) {
  Ratios r;
  const Answer<S> answer = style(round.in.cast<S>());
  compare_weights(answer.weights, round.expected, precision(round.dtype).smallest_normal, r);
  r.y = largest_ratio(answer.y, round.expected.y(), round.expected.y_error());
  const MatrixOf<S> heads = style(round.unprojected.cast<S>()).y;  // (T, n_heads d_v)
  r.heads = largest_ratio(heads, merge_heads(round.expected.heads.copy()),
                          merge_heads(round.expected.head_error.copy()));
  const MatrixOf<S> shorter = style(round.prefix.cast<S>()).y;  // (t, d_out)
  r.truncation = largest_ratio(
      shorter, answer.y, round.expected.y_error().topRows(shorter.rows()) + round.expected_prefix.y_error());
  return r;
}

// ---- the table ----------------------------------------------------------------------------------------------------------

struct Tally {
  long runs = 0, flagged = 0;
  Ratios largest;

  void add(const Ratios& r) {
    ++runs;
    flagged += r.worst() > 1;
    largest = {std::max(largest.weights, r.weights), std::max(largest.rows, r.rows),
               std::max(largest.heads, r.heads), std::max(largest.y, r.y),
               std::max(largest.truncation, r.truncation)};
  }
  void print(const std::string& name) const {
    std::printf("%-26s %9ld %8ld   %7.3g  %7.3g  %7.3g  %7.3g  %7.3g\n", name.c_str(), runs, flagged,
                largest.weights, largest.rows, largest.heads, largest.y, largest.truncation);
  }
};

// A count from the command line; throws std::invalid_argument.
long number(const char* text, const std::string& name) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 0) {
    throw std::invalid_argument(name + " must be a whole number, not '" + text + "'");
  }
  return value;
}

int soak(long runs, std::uint64_t seed) {
  const auto started = std::chrono::steady_clock::now();

  std::map<std::string, Tally> by_style, by_regime;
  Tally all, merged;
  for (std::uint64_t index = 0; all.runs < runs; ++index) {
    // Each input depends on (seed, index) alone: a flagged one is found again without those before it.
    Draw draw(seed * 0x9e3779b97f4a7c15u + index);
    const Dtype dtype = index % 2 == 0 ? Dtype::float64 : Dtype::float32;
    const auto regime = static_cast<Regime>(index / 2 % kRegimes.size());
    Round round;
    round.dtype = dtype;
    round.in = generate(draw, regime, dtype);
    round.prefix = first_tokens(round.in, draw.between(1, round.in.tokens()));
    round.unprojected = round.in;
    round.unprojected.w_o.resize(0, 0);
    round.expected = expect(round.in, dtype);
    round.expected_prefix = expect(round.prefix, dtype);
    const double score = largest_score(round.in);
    const auto tried = [&](const Style& style) {
      return dtype == Dtype::float64 ? run<double>(style, round) : run<float>(style, round);
    };
    for (const Style& style : correct_styles()) {
      if (!(score <= style.max_score)) continue;
      const Ratios r = tried(style);
      for (Tally* tally : {&by_style[style.name], &by_regime[kRegimes[regime]], &all}) tally->add(r);
      if (r.worst() > 1) {
        std::printf(
            "flagged: %s, input %llu of seed %llu (%s, float%d, T=%ld): weights %.3g rows %.3g heads %.3g "
            "y %.3g truncation %.3g\n",
            style.name.c_str(), static_cast<unsigned long long>(index), static_cast<unsigned long long>(seed),
            kRegimes[regime], dtype == Dtype::float64 ? 64 : 32, static_cast<long>(round.in.tokens()),
            r.weights, r.rows, r.heads, r.y, r.truncation);
      }
    }
    merged.add(tried(merged_product_style()));
  }

  const char* const head =
      "                                runs  flagged   weights     rows    heads        y  truncation\n";
  std::printf("seed %llu; largest error/bound:\n\n%s", static_cast<unsigned long long>(seed), head);
  for (const auto& [name, tally] : by_style) tally.print(name);
  std::printf("\n%s", head);
  for (const auto& [name, tally] : by_regime) tally.print(name);
  std::printf("\n%s", head);
  all.print("all");
  merged.print("(merged product)");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  std::cerr << took.count() << " s\n";  // apart from the table, which is the same each time
  return all.flagged == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const long runs = argc > 1 ? number(argv[1], "runs") : 650'000;
    const long seed = argc > 2 ? number(argv[2], "seed") : 1;
    return soak(runs, static_cast<std::uint64_t>(seed));
  } catch (const std::exception& error) {
    std::cerr << "bounds_soak: " << error.what() << "\nusage: bounds_soak [runs] [seed]\n";
    return 2;
  }
}
