#include "properties/bounds.hpp"

#include "properties/styles.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace attest {
namespace {

constexpr Dtype kDtypes[] = {Dtype::float64, Dtype::float32};

// Element (i, j) is ((a i + b j) mod m) - m / 2: small integers that anybody can make again.
Matrix pattern(Index rows, Index cols, Index a, Index b, Index m) {
  return Matrix::NullaryExpr(
      rows, cols, [=](Index i, Index j) { return static_cast<double>((a * i + b * j) % m - m / 2); });
}

Inputs<double> constant(Index n_tokens, double x, double w_qk) {
  return {Matrix::Constant(n_tokens, 1, x),
          Matrix::Constant(1, 1, w_qk),
          Matrix::Constant(1, 1, w_qk),
          Matrix::Ones(1, 1),
          Matrix::Ones(1, 1),
          1};
}

// Four tokens, two heads of two features; `scale` multiplies w_q, so every score.
Inputs<double> example(double scale) {
  return {pattern(4, 4, 3, 5, 7),       pattern(4, 4, 2, 3, 5) * scale, pattern(4, 4, 1, 4, 5) / 4,
          pattern(4, 4, 3, 1, 7) / 2.0, pattern(4, 4, 2, 5, 7),         2};
}

// The same for every run: a linear congruential generator, twelve of its numbers to a normal one.
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : state_(seed) {}
  double next() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
      state_ = state_ * 6364136223846793005u + 1442695040888963407u;
      sum += static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    return sum;
  }
  Matrix matrix(Index rows, Index cols) {
    return Matrix::NullaryExpr(rows, cols, [this](Index, Index) { return next(); });
  }
  Inputs<double> inputs(Index n_tokens, Index d_model, Index n_heads, Index d_k, Index d_v, Dtype dtype) {
    const Inputs<double> in{matrix(n_tokens, d_model),      matrix(d_model, n_heads * d_k),
                            matrix(d_model, n_heads * d_k), matrix(d_model, n_heads * d_v),
                            matrix(n_heads * d_v, d_model), n_heads};
    return dtype == Dtype::float64 ? in : in.cast<float>().cast<double>();
  }

 private:
  std::uint64_t state_;
};

template <class Computed>
bool within(const Computed& computed, const MatrixView& exact, const Matrix& bound) {
  return ((computed.template cast<double>() - exact).array().abs() <= bound.array()).all();
}

template <class S>
bool within(const Answer<S>& answer, const Expected& expected) {
  for (std::size_t g = 0; g < answer.weights.size(); ++g) {
    // A hidden weight may be tiny instead of 0: Eigen's vectorised exp(-inf) is a subnormal.
    MatrixOf<S> visible = answer.weights[g];
    for (Index i = 0; i < visible.rows(); ++i) visible.row(i).tail(visible.cols() - i - 1).setZero();
    if (!within(visible, expected.weights[g], expected.weight_error[g])) return false;
  }
  return within(answer.y, expected.y(), expected.y_error());
}

bool within(const Style& style, const Inputs<double>& in, Dtype dtype) {
  const Expected expected = expect(in, dtype);
  return dtype == Dtype::float64 ? within(style(in), expected) : within(style(in.cast<float>()), expected);
}

// ---- worked by hand -------------------------------------------------------------------------------------------------

TEST(Precision, IsThatOfTheIeeeTypes) {
  EXPECT_EQ(precision(Dtype::float64).unit_roundoff, std::ldexp(1.0L, -53));
  EXPECT_EQ(precision(Dtype::float32).unit_roundoff, std::ldexp(1.0L, -24));
  EXPECT_EQ(precision(Dtype::float64).smallest_normal, std::numeric_limits<double>::min());
  EXPECT_EQ(precision(Dtype::float32).smallest_normal, std::numeric_limits<float>::min());
}

// x = w = 1, one token: q = k = v = 1 and the score is 1. To first order in u:
//   q, k: 1 u each; score: 1 + 1 for q and k, d_k + 8 = 9 for the product and its scaling             11 u
//   weight: 2 eta + 3 = 19 for exponentials, 2 (|score| + 0 + 1) = 4 for a log-softmax; it cannot shift  23 u
//   head: 23 + n + d_model + 1 = 3                                                                       26 u
//   y: 26 + (d_v + n_heads = 2, more than the 1 of a product with w_o)                                   28 u
TEST(Bounds, OfOneTokenAreCountedByHand) {
  for (const Dtype dtype : kDtypes) {
    const auto u = static_cast<double>(precision(dtype).unit_roundoff);
    const Expected e = expect(constant(1, 1, 1), dtype);
    const auto in_u = [u](Wide bound) { return static_cast<double>(bound) / u; };
    const double second_order = 1e4 * u;
    EXPECT_NEAR(in_u(e.score_error[0](0, 0)), 11, second_order);
    EXPECT_NEAR(in_u(e.weight_error[0](0, 0)), 23, second_order);
    EXPECT_NEAR(in_u(e.row_above()(0, 0)), 23, second_order);
    EXPECT_NEAR(in_u(e.row_below()(0, 0)), 23, second_order);
    EXPECT_NEAR(in_u(e.head_error[0](0, 0)), 26, second_order);
    EXPECT_NEAR(in_u(e.y_error()(0, 0)), 28, second_order);
  }
}

// w_q = w_k = 0, two tokens: both scores are 0 and cannot move. In the second row n = 2:
//   exponentials 19 + (n - 1) 11 = 30; log-softmax 2 (0 + ln 2 + 1); the difference of scores ln 2
//   weight 1/2: half of 32 + 3 ln 2; row sum: 32 + 4 ln 2
TEST(Bounds, OfTwoEqualScoresAreCountedByHand) {
  for (const Dtype dtype : kDtypes) {
    const auto u = static_cast<double>(precision(dtype).unit_roundoff);
    const Expected e = expect(constant(2, 1, 0), dtype);
    const double ln2 = std::log(2.0);
    const double second_order = 1e4 * u;
    EXPECT_EQ(e.weights[0](1, 0), 0.5L);
    EXPECT_NEAR(static_cast<double>(e.weight_error[0](1, 0)) / u, (32 + 3 * ln2) / 2, second_order);
    EXPECT_NEAR(static_cast<double>(e.row_above()(0, 1)) / u, 32 + 4 * ln2, second_order);
    EXPECT_EQ(e.weight_error[0](0, 1), 0);  // hidden
  }
}

TEST(Bounds, OfZerosAreAFewSmallestNormals) {
  for (const Dtype dtype : kDtypes) {
    const Inputs<double> in{Matrix::Zero(3, 4), Matrix::Zero(4, 4), Matrix::Zero(4, 4),
                            Matrix::Zero(4, 4), Matrix::Zero(4, 4), 2};
    const Expected e = expect(in, dtype);
    EXPECT_LE(e.y_error().maxCoeff(), 20 * precision(dtype).smallest_normal);
    EXPECT_GT(e.y_error().minCoeff(), 0);
  }
}

TEST(LargestScore, LooksAtEveryHeadAndAtHiddenPairs) {
  Inputs<double> in{Matrix::Zero(2, 4),     Matrix::Identity(4, 4), Matrix::Identity(4, 4),
                    Matrix::Identity(4, 4), Matrix::Identity(4, 4), 2};
  in.x.row(0) << 0, 0, 1, 2;  // second head only
  in.x.row(1) << 0, 0, -3, 1;
  EXPECT_DOUBLE_EQ(largest_score(in), 10 / std::sqrt(2.0));  // token 1 with itself: 9 + 1
  in.w_q.setZero();
  in.w_q(2, 2) = 5;  // q of token 0 is (5, 0), of token 1 (-15, 0): with itself 45
  EXPECT_DOUBLE_EQ(largest_score(in), 45 / std::sqrt(2.0));
  in.w_k(2, 2) = 0;
  in.w_k(3, 2) = 1;  // first feature of k: 2 for token 0, 1 for token 1; largest |-15 * 2|
  EXPECT_DOUBLE_EQ(largest_score(in), 30 / std::sqrt(2.0));
  in.x(0, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(largest_score(in), std::numeric_limits<double>::infinity());
}

// ---- the same formulas in another language ----------------------------------------------------------------------------

// Computed with a NumPy version of the formulas in long double, in which the shift of a row is taken pair by pair and no
// sum is rearranged (its ln(1 + 1e-14) in long double is good to 5e-6). For y that version has no term for a folded w_v w_o, so it is a lower limit here.
TEST(Bounds, AgreeWithAnotherImplementationOfTheFormulas) {
  struct Row {
    Dtype dtype;
    double scale, score, weights[4], above, below, head, y;
  };
  const std::vector<Row> rows = {
      {Dtype::float64,
       1,
       2.9674747e-14,
       {5.4966293e-20, 1.0187053e-19, 2.1368007e-14, 7.7461661e-15},
       1.2793039e-14,
       1.2793039e-14,
       1.799148e-13,
       8.4729937e-13},
      {Dtype::float32,
       1,
       1.5931522e-05,
       {2.9510256e-11, 5.4692241e-11, 1.1472034e-05, 4.158764e-06},
       6.8682421e-06,
       6.8681949e-06,
       9.6592615e-05,
       0.00045489688},
      {Dtype::float64,
       0x1p56,
       2138.2909,
       {1.3350443e-307, 1.3350443e-307, 1, 1.1125369e-307},
       65.686331,
       0.98500442,
       3.5,
       24},
      {Dtype::float32,
       0x1p56,
       1.1479871e+12,
       {7.0529661e-38, 7.0529661e-38, 1.0001825, 5.8774718e-38},
       65.698512,
       0.98500716,
       3.5006446,
       24.004426},
  };
  for (const Row& row : rows) {
    const Expected e = expect(example(row.scale), row.dtype);
    const auto expect_near = [](Wide actual, double expected) {
      EXPECT_NEAR(static_cast<double>(actual), expected, 1e-5 * expected);
    };
    expect_near(e.score_error[1](3, 1), row.score);
    expect_near(e.weight_error[0](3, 0), row.weights[0]);
    expect_near(e.weight_error[0](3, 2), row.weights[1]);
    expect_near(e.weight_error[1](3, 1), row.weights[2]);
    expect_near(e.weight_error[1](2, 2), row.weights[3]);
    expect_near(e.row_above()(1, 3), row.above);
    expect_near(e.row_below()(1, 3), row.below);
    expect_near(e.head_error[1](3, 1), row.head);
    EXPECT_GE(static_cast<double>(e.y_error()(3, 2)), row.y * (1 - 1e-6));
    EXPECT_LE(static_cast<double>(e.y_error()(3, 2)), row.y * 1.5);
  }
}

// ---- what they must not do ------------------------------------------------------------------------------------------

TEST(Bounds, AreInfiniteOnlyWhereACorrectImplementationMayOverflow) {
  Inputs<double> in = example(1);
  in.x.row(3) *=
      1e30;  // in float32, q k^T of this token is beyond the range with itself, and still finite with others
  const Expected narrow = expect(in, Dtype::float32);
  EXPECT_TRUE(std::isinf(narrow.weight_error[0](3, 0)));
  EXPECT_TRUE(std::isinf(narrow.row_above()(0, 3)));
  EXPECT_TRUE(std::isfinite(narrow.y_error().row(2).maxCoeff()));
  EXPECT_TRUE(std::isinf(narrow.y_error()(3, 0)));
  EXPECT_TRUE(std::isfinite(expect(in, Dtype::float64).y_error().maxCoeff()));
}

TEST(Bounds, AreInfiniteAndNotNanForInputsThatAreNoNumbers) {
  for (const double odd :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Inputs<double> in = example(1);
    in.x(3, 0) = odd;
    const Expected e = expect(in, Dtype::float64);
    for (const auto& head : e.weight_error.copy()) EXPECT_FALSE(head.array().isNaN().any());
    EXPECT_FALSE(e.y_error().array().isNaN().any());
    EXPECT_TRUE(std::isinf(e.y_error()(3, 0)));
  }
}

TEST(Bounds, GrowWithTheUnitRoundoffAndWithTheScores) {
  const Expected fine = expect(example(1), Dtype::float64);
  const Expected coarse = expect(example(1), Dtype::float32);
  const Expected higher = expect(example(4), Dtype::float64);
  EXPECT_TRUE((coarse.y_error().array() > fine.y_error().array() * 1e8).all());
  EXPECT_TRUE((higher.score_error[0].array() > fine.score_error[0].array() * 3.9).all());
}

TEST(Bounds, AreFiniteForScoresOfAnySizeInRange) {
  for (const double scale : {1e10, 1e100, 1e300}) {
    const Expected e = expect(example(scale), Dtype::float64);
    for (const auto& head : e.weight_error.copy()) {
      EXPECT_TRUE(head.array().isFinite().all()) << scale;
      EXPECT_LE(head.maxCoeff(), 1.01) << scale;
    }
    EXPECT_TRUE(e.y_error().array().isFinite().all()) << scale;
  }
}

// ---- power: what is wrong lies outside ------------------------------------------------------------------------------

// How many of 101 gaussian cases show the fault.
template <class S>
int detected(Dtype dtype, const std::function<void(Stages<S>&)>& break_it) {
  Stages<S> stages;
  break_it(stages);
  int found = 0;
  for (std::uint64_t seed = 0; seed < 101; ++seed) {
    const Inputs<double> in = Normals(seed).inputs(5, 6, 2, 3, 3, dtype);
    found += !within(stages.run(in.cast<S>()).answer(), expect(in, dtype));
  }
  return found;
}

template <class S>
void scale_scores(Stages<S>& stages, S factor) {
  stages.scale = [factor](const Inputs<S>& in, Trace<S>& t) {
    Stages<S>{}.scale(in, t);
    for (auto& head : t.scaled) head *= factor;
  };
}

template <class S>
void add_to_denominator(Stages<S>& stages, S epsilon) {
  stages.softmax = [epsilon](const Inputs<S>& in, Trace<S>& t) {
    Stages<S>{}.softmax(in, t);
    for (std::size_t g = 0; g < t.weights.size(); ++g) {
      for (Index i = 0; i < in.tokens(); ++i) {
        const S sum = (t.masked[g].row(i).array() - t.masked[g].row(i).maxCoeff()).exp().sum();
        t.weights[g].row(i) *= sum / (sum + epsilon);
      }
    }
  };
}

TEST(Bounds, ExcludeARelativeErrorOfTheScaleInTheMedianCase) {
  EXPECT_EQ(detected<double>(Dtype::float64, [](auto& s) { scale_scores<double>(s, 1); }), 0);
  EXPECT_GE(detected<double>(Dtype::float64, [](auto& s) { scale_scores(s, 1 + 1e-13); }), 51);
  EXPECT_EQ(detected<float>(Dtype::float32, [](auto& s) { scale_scores<float>(s, 1); }), 0);
  EXPECT_GE(detected<float>(Dtype::float32, [](auto& s) { scale_scores(s, 1 + 2e-5F); }), 51);
}

TEST(Bounds, ExcludeAnEpsilonInTheDenominatorInTheMedianCase) {
  EXPECT_GE(detected<double>(Dtype::float64, [](auto& s) { add_to_denominator(s, 1e-12); }), 101);
  EXPECT_GE(detected<double>(Dtype::float64, [](auto& s) { add_to_denominator(s, 1e-14); }), 51);
  EXPECT_GE(detected<float>(Dtype::float32, [](auto& s) { add_to_denominator(s, 1e-5F); }), 51);
}

// ---- correct styles lie inside --------------------------------------------------------------------------------------

TEST(Styles, AreManyAndNamedApart) {
  std::vector<std::string> names;
  for (const Style& style : correct_styles()) names.push_back(style.name);
  EXPECT_GE(names.size(), 20U);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

RC_GTEST_PROP(Styles, AreWithinTheBounds, ()) {
  const auto n_heads = *rc::gen::inRange<Index>(1, 4);
  const auto d_k = *rc::gen::inRange<Index>(1, 6);
  const auto d_v = *rc::gen::inRange<Index>(1, 6);
  const auto d_model = *rc::gen::inRange<Index>(1, 9);
  const auto n_tokens = *rc::gen::inRange<Index>(1, 10);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (const Dtype dtype : kDtypes) {
    Inputs<double> in = Normals(seed).inputs(n_tokens, d_model, n_heads, d_k, d_v, dtype);
    if (seed % 4 == 0) in.w_o.resize(0, 0);
    const double score = largest_score(in);
    if (score > 16) in.w_q *= std::exp2(std::floor(std::log2(16 / score)));
    for (const Style& style : correct_styles()) {
      if (!within(style, in, dtype)) RC_FAIL(style.name + " in " + std::to_string(static_cast<int>(dtype)));
    }
  }
}

RC_GTEST_PROP(Bounds, OfARowDoNotDependOnLaterTokensButForUnderflow, (std::uint64_t seed)) {
  const auto n_tokens = *rc::gen::inRange<Index>(2, 8);
  const auto kept = *rc::gen::inRange<Index>(1, 8);
  RC_PRE(kept < n_tokens);
  const Inputs<double> in = Normals(seed).inputs(n_tokens, 4, 2, 2, 2, Dtype::float64);
  Inputs<double> prefix = in;
  prefix.x = in.x.topRows(kept).eval();
  const Expected full = expect(in, Dtype::float64);
  const Expected cut = expect(prefix, Dtype::float64);
  const MatrixOf<Wide> y = causal_multi_head_attention(in.cast<Wide>()).y;
  const MatrixOf<Wide> y_of_prefix = causal_multi_head_attention(prefix.cast<Wide>()).y;
  RC_ASSERT((y.topRows(kept) - y_of_prefix).cwiseAbs().maxCoeff() < 1e-16L);
  RC_ASSERT(
      ((full.weight_error[0].topLeftCorner(kept, kept) - cut.weight_error[0]).array().abs() < 1e-20).all());
}

// What a pass with Care::quick rests on: the quick answer is within half a bound of the exact one, and its bounds are the same but
// for digits that do not matter.
RC_GTEST_PROP(Bounds, AreThoseOfTheQuickAnswerWhichIsWithinHalfOfThem, (std::uint64_t seed)) {
  const auto n_tokens = *rc::gen::inRange<Index>(1, 24);
  const auto n_heads = *rc::gen::inRange<Index>(1, 5);
  const auto d_head = *rc::gen::inRange<Index>(1, 17);
  const auto dtype = *rc::gen::element(Dtype::float32, Dtype::float64);
  const Inputs<double> in = Normals(seed).inputs(n_tokens, n_heads * d_head, n_heads, d_head, d_head, dtype);
  const Expected exact = expect(in, dtype), quick = expect(in, dtype, Care::quick);
  const auto same = [](const Matrix& one, const Matrix& other) {
    return ((one - other).array().abs() <= 1e-6 * one.array().abs()).all();
  };
  for (std::size_t g = 0; g < exact.weight_error.size(); ++g) {
    RC_ASSERT(within(quick.weights[g], exact.weights[g], exact.weight_error[g] / 2));
    RC_ASSERT(within(quick.heads[g], exact.heads[g], exact.head_error[g] / 2));
    RC_ASSERT(same(exact.weight_error[g], quick.weight_error[g]));
  }
  RC_ASSERT(within(quick.y(), exact.y(), exact.y_error() / 2));
  RC_ASSERT(same(exact.y_error(), quick.y_error()));
  RC_ASSERT(same(exact.row_above(), quick.row_above()) && same(exact.row_below(), quick.row_below()));
}

// The quick answer is only for scores whose own error is small: at 1e18 it is the exact one.
TEST(Bounds, OfHugeScoresAreNeverQuick) {
  const Expected exact = expect(example(0x1p60), Dtype::float64);
  const Expected quick = expect(example(0x1p60), Dtype::float64, Care::quick);
  EXPECT_EQ(exact.weights[0], quick.weights[0]);
  EXPECT_EQ(exact.y_error(), quick.y_error());
}

// The reason for keeping it apart: two features that nearly cancel in q and k.
TEST(Styles, MergedProductLeavesTheBoundsUnderCancellation) {
  int outside = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Inputs<double> in = Normals(seed).inputs(4, 2, 1, 1, 1, Dtype::float64);
    in.x.col(1) = in.x.col(0) * (1 + 1e-5);
    in.x *= 100;
    for (Matrix* w : {&in.w_q, &in.w_k}) w->row(1) = -w->row(0) * (1 + 1e-5);
    outside += !within(merged_product_style(), in, Dtype::float64);
    EXPECT_TRUE(within(correct_styles().front(), in, Dtype::float64));
  }
  EXPECT_GT(outside, 0);
}

}  // namespace
}  // namespace attest
