// The whole catalogue as RapidCheck properties in a GoogleTest suite, for a C++ function that is linked in process:
//
//   #include <attest/properties/suite.hpp>
//   attest::Answer<double> my_attention(const attest::Inputs<double>& in);
//   ATTEST_SUITE(MyAttention, my_attention)
//
// One test a property, each with RapidCheck's usual number of cases (RC_PARAMS works). A failure is shrunk; what is printed is
// the case's token, its shape and the first number that is wrong. Weights may be left empty: then they are read out through
// the values. Link attest::properties, rapidcheck_gtest and GTest::gtest_main.
#pragma once

#include <gtest/gtest.h>
// RapidCheck's GoogleTest bridge wants gtest first.
#include "properties/generate.hpp"
#include "properties/property.hpp"
#include "properties/search.hpp"

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace attest::suite {

// Judges one property of one implementation on generated cases; reports through RapidCheck.
void check(std::string_view property_id,
           const std::function<Answer<double>(const Inputs<double>&)>& function);

}  // namespace attest::suite

// A property that a later version adds appears here, and so in every suite.
#define ATTEST_FOR_EVERY_PROPERTY(X, Suite, function)                                     \
  X(Suite, function, OutputShape, "output/shape")                                         \
  X(Suite, function, OutputFinite, "output/finite")                                       \
  X(Suite, function, StatePure, "state/pure")                                             \
  X(Suite, function, StateDeterministic, "state/deterministic")                           \
  X(Suite, function, StateHistory, "state/history")                                       \
  X(Suite, function, ValuesFirstRow, "values/first-row")                                  \
  X(Suite, function, ValuesLinearInWo, "values/linear-in-w-o")                            \
  X(Suite, function, ValuesMixOfWeights, "values/mix-of-weights")                         \
  X(Suite, function, HeadsInfluenceMap, "heads/influence-map")                            \
  X(Suite, function, HeadsOwnBlockOnly, "heads/own-block-only")                           \
  X(Suite, function, HeadsPermutation, "heads/permutation")                               \
  X(Suite, function, WeightsRowsSumToOne, "weights/rows-sum-to-one")                      \
  X(Suite, function, WeightsInUnitInterval, "weights/in-unit-interval")                   \
  X(Suite, function, WeightsUpperTriangleZero, "weights/upper-triangle-zero")             \
  X(Suite, function, WeightsUniformWhenQueryIsZero, "weights/uniform-when-query-is-zero") \
  X(Suite, function, CausalityTruncationInvariance, "causality/truncation-invariance")    \
  X(Suite, function, CausalityFutureTokensReplaced, "causality/future-tokens-replaced")   \
  X(Suite, function, ScoresAttend, "scores/attend")                                       \
  X(Suite, function, ScoresScaledByDHead, "scores/scaled-by-d-head")                      \
  X(Suite, function, ScoresZeroHeadsAdded, "scores/zero-heads-added")                     \
  X(Suite, function, ScoresHeadsDuplicated, "scores/heads-duplicated")                    \
  X(Suite, function, ScoresHeadsPadded, "scores/heads-padded")                            \
  X(Suite, function, ScoresLogRatios, "scores/log-ratios")                                \
  X(Suite, function, ScoresChangeOfBasis, "scores/change-of-basis")                       \
  X(Suite, function, ValuesChangeOfBasis, "values/change-of-basis")                       \
  X(Suite, function, ScoresBalancedFactors, "scores/balanced-factors")                    \
  X(Suite, function, WeightsShiftOfKeys, "weights/shift-of-keys")                         \
  X(Suite, function, WeightsOrderOfThePast, "weights/order-of-the-past")                  \
  X(Suite, function, ValuesEqualTokens, "values/equal-tokens")                            \
  X(Suite, function, WeightsEqualKeys, "weights/equal-keys")                              \
  X(Suite, function, ScoresSteeperQueries, "scores/steeper-queries")                      \
  X(Suite, function, ScoresQueryOnlyFeature, "scores/query-only-feature")                 \
  X(Suite, function, ScoresKeyOnlyFeature, "scores/key-only-feature")                     \
  X(Suite, function, ScoresRatiosOfOthers, "scores/ratios-of-others")                     \
  X(Suite, function, NumericsLargestKeyWins, "numerics/largest-key-wins")                 \
  X(Suite, function, NumericsLargeScores, "numerics/large-scores")                        \
  X(Suite, function, OutputAgreesWithReference, "output/agrees-with-reference")

#define ATTEST_PROPERTY_TEST(Suite, function, Name, id) \
  RC_GTEST_PROP(Suite, Name, ()) { attest::suite::check(id, function); }

#define ATTEST_SUITE(Suite, function) ATTEST_FOR_EVERY_PROPERTY(ATTEST_PROPERTY_TEST, Suite, function)
