// The fast arrangement against the readable one.
#include "reference/fast_attention.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

// Numbers between -1 and 1 that anybody can make again.
template <class S>
MatrixOf<S> numbers(Index rows, Index cols, double phase) {
  return MatrixOf<S>::NullaryExpr(rows, cols, [=](Index i, Index j) {
    return static_cast<S>(
        std::sin(phase + 0.7 * static_cast<double>(i) + 1.9 * static_cast<double>(j * (i + 1))));
  });
}

template <class S>
Inputs<S> inputs(Index n_tokens, Index n_heads, Index d_head) {
  const Index d = n_heads * d_head;
  return {numbers<S>(n_tokens, d, 1), numbers<S>(d, d, 2), numbers<S>(d, d, 3),
          numbers<S>(d, d, 4),        numbers<S>(d, d, 5), n_heads};
}

// Lengths around the strip of 64 rows, and none of them a multiple of the others.
TEST(FastAttention, IsTheReferenceAtEveryLength) {
  for (const Index n_tokens : {1, 2, 63, 64, 65, 127, 130}) {
    const auto in = inputs<double>(n_tokens, 3, 5);
    const auto exact = causal_multi_head_attention(in.cast<long double>()).y.cast<double>().eval();
    EXPECT_LE((fast_causal_attention(in) - exact).cwiseAbs().maxCoeff(), 1e-11) << n_tokens;
    const auto narrow = inputs<float>(n_tokens, 3, 5);
    const auto wide = causal_multi_head_attention(narrow.cast<double>()).y;
    EXPECT_LE((fast_causal_attention(narrow).cast<double>() - wide).cwiseAbs().maxCoeff(), 1e-3) << n_tokens;
  }
}

TEST(FastAttention, LeavesOutTheOutputProjectionWhereThereIsNone) {
  auto in = inputs<double>(70, 2, 3);
  in.w_o.resize(0, 0);
  EXPECT_LE((fast_causal_attention(in) - causal_multi_head_attention(in).y).cwiseAbs().maxCoeff(), 1e-12);
}

// Later tokens of 1e200 would show in every row that sees them.
TEST(FastAttention, NeverLooksAtLaterTokens) {
  auto in = inputs<double>(100, 1, 2);
  const auto before = fast_causal_attention(in);
  in.x.bottomRows(30).setConstant(1e200);
  EXPECT_EQ(fast_causal_attention(in).topRows(64), before.topRows(64));
}

TEST(FastAttention, RefusesShapesThatDoNotFit) {
  auto in = inputs<double>(4, 2, 3);
  in.n_heads = 4;
  EXPECT_THROW(fast_causal_attention(in), std::invalid_argument);
}

}  // namespace
}  // namespace attest
