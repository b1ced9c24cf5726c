// Right answers are found again by what was asked, and asked for only where answers differ.
#include "properties/oracle.hpp"

#include "properties/catalogue/compare.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace attest {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Subject& subject() {
  static const Subject multi_head{&multi_head_attention_spec(), Dtype::float64};
  return multi_head;
}

// One token with one feature: y = x w_v w_o.
Question one_token(double x) {
  const auto one = [](double value) { return Tensor{{1, 1}, {value}}; };
  return {{{"x", one(x)},
           {"w_q", one(1)},
           {"w_k", one(1)},
           {"w_v", one(3)},
           {"w_o", one(5)},
           {"n_heads", {{}, {1.0}}, true}}};
}

TEST(Oracle, AnAnswerIsRememberedByWhatWasAsked) {
  const auto first = recall(one_token(2), subject());
  EXPECT_EQ(first->y()(0, 0), 30);
  EXPECT_EQ(recall(one_token(2), subject()), first);
  EXPECT_EQ(recall(one_token(4), subject())->y()(0, 0), 60);
  EXPECT_EQ(recall(one_token(2), subject()), first);
}

// Each of these differs in one thing from what is known by then.
TEST(Oracle, NothingElseIsTakenForIt) {
  const auto zero = recall(one_token(0), subject());
  EXPECT_NE(recall(one_token(-0.0), subject()), zero);
  EXPECT_NE(recall(one_token(0), {subject().spec, Dtype::float32}), zero);
  Subject quickly = subject();
  quickly.care = Care::quick;
  EXPECT_NE(recall(one_token(0), quickly), zero);

  Question as_written = one_token(2), exchanged = one_token(2);
  std::swap(exchanged.arguments[3].name, exchanged.arguments[4].name);  // w_v = 5, w_o = 3
  EXPECT_NE(recall(exchanged, subject()), recall(as_written, subject()));

  Question two_tokens = one_token(1), two_features = one_token(1);
  two_tokens.arguments[0].tensor = {{2, 1}, {1, 1}};
  two_features.arguments[0].tensor = {{1, 2}, {1, 1}};
  for (Named& weight : two_features.arguments) {
    if (weight.name.starts_with("w_")) weight.tensor = {{2, 2}, {1, 0, 0, 1}};
  }
  EXPECT_EQ(recall(two_tokens, subject())->y().rows(), 2);
  EXPECT_EQ(recall(two_features, subject())->y().rows(), 1);
}

TEST(Oracle, TheLatestAnswerIsRememberedHoweverLargeItIs) {
  set_oracle_memory(1);
  const auto latest = recall(one_token(7), subject());
  EXPECT_EQ(recall(one_token(7), subject()), latest);
  const auto next = recall(one_token(8), subject());
  EXPECT_EQ(recall(one_token(8), subject()), next);
  EXPECT_NE(recall(one_token(7), subject()), latest);  // that one was forgotten
  set_oracle_memory(std::size_t{48} << 20);
}

TEST(Compare, IdenticalIsFiniteAndTheSame) {
  const Matrix a = (Matrix(1, 2) << 1, 0).finished();
  Matrix b = a;
  EXPECT_TRUE(identical(a, b));
  b(0, 1) = -0.0;  // no distance between them
  EXPECT_TRUE(identical(a, b));
  b(0, 1) = std::numeric_limits<double>::denorm_min();
  EXPECT_FALSE(identical(a, b));
  for (const double no_number : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    b(0, 1) = no_number;
    EXPECT_FALSE(identical(b, b)) << no_number;  // whether it may be missing is not said here
  }
}

}  // namespace
}  // namespace attest
