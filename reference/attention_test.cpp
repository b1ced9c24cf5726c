#include "reference/attention.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#ifndef ATTEST_NUMPY_REFERENCE
#define ATTEST_NUMPY_REFERENCE "reference/numpy_reference.py"
#endif

namespace attest {
namespace {

using testing::HasSubstr;

template <class S>
MatrixOf<S> matrix(std::initializer_list<std::initializer_list<S>> rows) {
  MatrixOf<S> m(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    Index j = 0;
    for (const S value : row) m(i, j++) = value;
    ++i;
  }
  return m;
}

// Largest difference, relative to the largest value.
template <class S>
S difference(const MatrixOf<S>& a, const MatrixOf<S>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<S>::infinity();
  const S largest = std::max(S{1}, b.cwiseAbs().maxCoeff());
  const S off = (a - b).cwiseAbs().maxCoeff() / largest;
  return std::isnan(off) ? std::numeric_limits<S>::infinity() : off;
}

// Every claim holds in each of the three scalars.
template <class S>
class Attention : public testing::Test {
 protected:
  static constexpr S kInfinity = std::numeric_limits<S>::infinity();
  static constexpr S kTiny = 8 * std::numeric_limits<S>::epsilon();  // a few roundings of numbers near 1
};
using Scalars = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(Attention, Scalars);

// ---- stage by stage ---------------------------------------------------------------------------------------------------

TYPED_TEST(Attention, SoftmaxOfZeroAndLogThreeIsAQuarterAndThreeQuarters) {
  using S = TypeParam;
  const S log3 = std::log(S{3});
  const MatrixOf<S> weights = softmax(matrix<S>({{0, log3}, {log3, 0}, {5, 5 + log3}}));
  EXPECT_LE(difference(weights, matrix<S>({{0.25, 0.75}, {0.75, 0.25}, {0.25, 0.75}})), this->kTiny);
}

TYPED_TEST(Attention, SoftmaxGivesMinusInfinityExactlyNoWeight) {
  using S = TypeParam;
  const MatrixOf<S> weights =
      softmax(matrix<S>({{-this->kInfinity, 3, -this->kInfinity}, {7, -this->kInfinity, 7}}));
  EXPECT_EQ(weights, matrix<S>({{0, 1, 0}, {0.5, 0, 0.5}}));
}

TYPED_TEST(Attention, SoftmaxOfScoresFarFromZeroNeitherOverflowsNorVanishes) {
  using S = TypeParam;
  const S huge = std::numeric_limits<S>::max() / 4;
  EXPECT_EQ(softmax(matrix<S>({{huge, huge}, {-huge, -huge}, {huge, -huge}})),
            matrix<S>({{0.5, 0.5}, {0.5, 0.5}, {1, 0}}));
}

TYPED_TEST(Attention, SoftmaxOfARowWithNothingVisibleIsNan) {
  using S = TypeParam;
  const MatrixOf<S> weights = softmax(matrix<S>({{-this->kInfinity, -this->kInfinity}}));
  EXPECT_TRUE(std::isnan(weights(0, 0)));
}

TYPED_TEST(Attention, SoftmaxNeedsNoSquare) {
  EXPECT_LE(
      difference(softmax(matrix<TypeParam>({{1, 1, 1, 1}})), matrix<TypeParam>({{0.25, 0.25, 0.25, 0.25}})),
      this->kTiny);
}

TYPED_TEST(Attention, MaskHidesWhatComesLaterAndNothingElse) {
  using S = TypeParam;
  const S hidden = -this->kInfinity;
  EXPECT_EQ(causal_mask<S>(3), matrix<S>({{0, hidden, hidden}, {0, 0, hidden}, {0, 0, 0}}));
  EXPECT_EQ(causal_mask<S>(1), matrix<S>({{0}}));
}

TYPED_TEST(Attention, HeadsAreNeighbouringColumnsAndMergeIntoTheSameMatrix) {
  using S = TypeParam;
  const auto x = matrix<S>({{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}});
  const HeadsOf<S> heads = split_heads(x, 3);
  ASSERT_EQ(heads.size(), 3U);
  EXPECT_EQ(heads[0], matrix<S>({{1, 2}, {7, 8}}));
  EXPECT_EQ(heads[2], matrix<S>({{5, 6}, {11, 12}}));
  EXPECT_EQ(merge_heads(heads), x);
}

// x = [1 2; 3 4], everything the identity, two heads of one feature. By hand:
//
//   head 0: q = k = v = (1, 3), d_k = 1   scores [1 3; 3 9]    row 1: e^3, e^9     weights (1, e^6) / (1 + e^6)
//   head 1: q = k = v = (2, 4)            scores [4 8; 8 16]   row 1: e^8, e^16    weights (1, e^8) / (1 + e^8)
//
// Token 0 sees itself alone, so y_0 = x_0. With s = 1 / (1 + e^6) and t = 1 / (1 + e^8),
// y_1 = (s + 3 (1 - s), 2 t + 4 (1 - t)) = (3 - 2 s, 4 - 2 t).
TYPED_TEST(Attention, OfTwoTokensAndTwoHeadsIsWhatOneWorksOutByHand) {
  using S = TypeParam;
  const MatrixOf<S> one = MatrixOf<S>::Identity(2, 2);
  const Trace<S> t =
      causal_multi_head_attention(Inputs<S>{matrix<S>({{1, 2}, {3, 4}}), one, one, one, one, 2});
  EXPECT_EQ(t.q_heads[1], matrix<S>({{2}, {4}}));
  EXPECT_EQ(t.scores[0], matrix<S>({{1, 3}, {3, 9}}));
  EXPECT_EQ(t.scores[1], matrix<S>({{4, 8}, {8, 16}}));
  EXPECT_EQ(t.scaled[1], t.scores[1]);  // sqrt(1)
  EXPECT_EQ(t.masked[0], matrix<S>({{1, -this->kInfinity}, {3, 9}}));
  const S first = 1 / (1 + std::exp(S{6})), second = 1 / (1 + std::exp(S{8}));
  EXPECT_LE(difference(t.weights[0], matrix<S>({{1, 0}, {first, 1 - first}})), this->kTiny);
  EXPECT_LE(difference(t.weights[1], matrix<S>({{1, 0}, {second, 1 - second}})), this->kTiny);
  EXPECT_LE(difference(t.y, matrix<S>({{1, 2}, {3 - 2 * first, 4 - 2 * second}})), this->kTiny);
  EXPECT_EQ(t.y, t.merged);  // w_o is the identity
}

// One head, d_k = 4 and d_v = 1. All q and k are (a, a, a, a), so the scaled score is 4 a a' / sqrt(4) = 2 a a'. With a = 0 for
// token 0 and a = 1 for token 1, row 1 of the scores is (0, 2); v = (10, 20).
TYPED_TEST(Attention, ScalesByTheLengthOfTheDotProductWhenTheValuesAreNarrower) {
  using S = TypeParam;
  const Trace<S> t =
      causal_attention<S>(matrix<S>({{0, 10}, {1, 20}}), matrix<S>({{1, 1, 1, 1}, {0, 0, 0, 0}}),
                          matrix<S>({{1, 1, 1, 1}, {0, 0, 0, 0}}), matrix<S>({{0}, {1}}));
  EXPECT_EQ(t.scores[0](1, 1), S{4});
  EXPECT_EQ(t.scaled[0], matrix<S>({{0, 0}, {0, 2}}));
  const S weight = 1 / (1 + std::exp(S{-2}));
  EXPECT_EQ(t.y.cols(), 1);
  EXPECT_LE(difference(t.y, matrix<S>({{10}, {10 * (1 - weight) + 20 * weight}})), this->kTiny);
}

TYPED_TEST(Attention, AppliesTheOutputProjectionToTheMergedHeads) {
  using S = TypeParam;
  const MatrixOf<S> one = MatrixOf<S>::Identity(2, 2);
  const auto w_o = matrix<S>({{1, 0, 2}, {0, -1, 1}});  // any number of columns
  const Trace<S> t = causal_multi_head_attention(Inputs<S>{matrix<S>({{3, 5}}), one, one, one, w_o, 2});
  EXPECT_EQ(t.y, matrix<S>({{3, -5, 11}}));
}

TYPED_TEST(Attention, RowsSumToOneAndTheFutureHasNoWeight) {
  using S = TypeParam;
  const auto some = [](Index rows, Index cols) {
    return MatrixOf<S>::NullaryExpr(rows, cols,
                                    [](Index i, Index j) { return static_cast<S>((7 * i + 3 * j) % 5 - 2); });
  };
  const Trace<S> t = causal_multi_head_attention(
      Inputs<S>{some(6, 4), some(4, 6), some(4, 6) / 2, some(4, 9), some(9, 4), 3});
  for (const auto& head : t.weights) {
    for (Index i = 0; i < 6; ++i) {
      EXPECT_NEAR(static_cast<double>(head.row(i).sum()), 1, static_cast<double>(this->kTiny));
      for (Index j = i + 1; j < 6; ++j) EXPECT_EQ(head(i, j), 0);
    }
  }
}

TYPED_TEST(Attention, OfAReplacedStageLeavesTheOtherStagesAlone) {
  using S = TypeParam;
  const MatrixOf<S> one = MatrixOf<S>::Identity(2, 2);
  const Inputs<S> in{matrix<S>({{1, 2}, {3, 4}}), one, one, one, one, 1};
  Stages<S> stages;
  stages.mask = [](const Inputs<S>&, Trace<S>& t) { t.masked = t.scaled; };
  const Trace<S> right = causal_multi_head_attention(in);
  const Trace<S> unmasked = stages.run(in);
  EXPECT_EQ(unmasked.scaled[0], right.scaled[0]);
  EXPECT_GT(unmasked.weights[0](0, 1), S{0});
  EXPECT_EQ(unmasked.weights[0].row(1), right.weights[0].row(1));
}

// ---- shapes that do not fit -------------------------------------------------------------------------------------------

Inputs<double> shaped(Index x_cols, Index q_rows, Index q_cols, Index k_cols, Index v_cols, Index o_rows,
                      Index n_heads) {
  using M = MatrixOf<double>;
  return {M::Zero(3, x_cols),      M::Zero(q_rows, q_cols), M::Zero(q_rows, k_cols),
          M::Zero(q_rows, v_cols), M::Zero(o_rows, 4),      n_heads};
}

std::string complaint(const Inputs<double>& in) {
  try {
    causal_multi_head_attention(in);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(AttentionShapes, ThatDoNotFitAreNamed) {
  EXPECT_EQ(complaint(shaped(4, 4, 4, 4, 4, 4, 2)), "none");
  EXPECT_EQ(complaint(shaped(4, 4, 6, 6, 2, 2, 2)), "none");  // d_k = 3, d_v = 1
  EXPECT_THAT(complaint(shaped(4, 4, 4, 4, 4, 4, 0)), HasSubstr("n_heads"));
  EXPECT_THAT(complaint(shaped(4, 4, 4, 4, 4, 4, 3)), HasSubstr("n_heads must divide"));
  EXPECT_THAT(complaint(shaped(5, 4, 4, 4, 4, 4, 2)), HasSubstr("w_q"));
  EXPECT_THAT(complaint(shaped(4, 4, 4, 6, 4, 4, 2)), HasSubstr("w_k"));
  EXPECT_THAT(complaint(shaped(4, 4, 4, 4, 4, 6, 2)), HasSubstr("w_o"));
  EXPECT_THAT(complaint(shaped(0, 0, 4, 4, 4, 4, 2)), HasSubstr("x must have"));
  Inputs<double> no_tokens = shaped(4, 4, 4, 4, 4, 4, 2);
  no_tokens.x.resize(0, 4);
  EXPECT_THAT(complaint(no_tokens), HasSubstr("x must have"));
  EXPECT_THROW(split_heads<double>(MatrixOf<double>::Zero(2, 3), 2), std::invalid_argument);
  EXPECT_THROW(split_heads<double>(MatrixOf<double>::Zero(2, 3), 0), std::invalid_argument);
}

// ---- an implementation that shares nothing with this one ----------------------------------------------------------------

MatrixOf<double> read(std::istream& in, Index rows, Index cols) {
  return MatrixOf<double>::NullaryExpr(rows, cols, [&in](Index, Index) {
    std::string text;
    in >> text;
    return std::strtod(text.c_str(), nullptr);  // operator>> does not read hexadecimal
  });
}

TEST(AttentionAgainstNumpy, AgreesOnRandomCases) {
  constexpr int kCases = 200;
  const auto output = std::filesystem::path(testing::TempDir()) /
                      ("attest_numpy_reference." + std::to_string(std::random_device{}()) + ".txt");
  const std::string command = std::string("/usr/bin/python3 -B '") + ATTEST_NUMPY_REFERENCE + "' 20240607 " +
                              std::to_string(kCases) + " > '" + output.string() + "'";
  // NOLINTNEXTLINE(cert-env33-c): the command is this file's own
  ASSERT_EQ(std::system(command.c_str()), 0)
      << "Debian's Python with NumPy is needed for this test: apt-get install python3-numpy\n"
      << command;
  std::ifstream in(output);
  std::string word;
  int cases = 0;
  while (in >> word) {
    ASSERT_EQ(word, "case");
    Index n_tokens = 0, d_model = 0, n_heads = 0, d_k = 0, d_v = 0, d_out = 0;
    in >> n_tokens >> d_model >> n_heads >> d_k >> d_v >> d_out;
    Inputs<double> inputs;
    inputs.n_heads = n_heads;
    inputs.x = read(in, n_tokens, d_model);
    inputs.w_q = read(in, d_model, n_heads * d_k);
    inputs.w_k = read(in, d_model, n_heads * d_k);
    inputs.w_v = read(in, d_model, n_heads * d_v);
    if (d_out > 0) inputs.w_o = read(in, n_heads * d_v, d_out);
    const Trace<double> trace = causal_multi_head_attention(inputs);
    const Trace<long double> wide = causal_multi_head_attention(inputs.cast<long double>());
    for (Index g = 0; g < n_heads; ++g) {
      const MatrixOf<double> weights = read(in, n_tokens, n_tokens);
      EXPECT_LE(difference(trace.weights[g], weights), 1e-12) << "case " << cases;
      EXPECT_LE(difference<double>(wide.weights[g].cast<double>(), weights), 1e-12) << "case " << cases;
    }
    const MatrixOf<double> y = read(in, n_tokens, d_out > 0 ? d_out : n_heads * d_v);
    EXPECT_LE(difference(trace.y, y), 1e-12) << "case " << cases;
    EXPECT_LE(difference<double>(wide.y.cast<double>(), y), 1e-12) << "case " << cases;
    ASSERT_TRUE(in.good());
    ++cases;
  }
  EXPECT_EQ(cases, kCases);
  std::filesystem::remove(output);
}

}  // namespace
}  // namespace attest
