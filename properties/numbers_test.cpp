// What makes copies of tensors cheap, and that questions make use of it.
#include "properties/numbers.hpp"

#include "properties/drawn.hpp"
#include "properties/generate.hpp"
#include "properties/property.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace attest {
namespace {

TEST(Numbers, ACopySharesUntilOneOfTheTwoIsChanged) {
  const Numbers first = {1, 2, 3};
  Numbers second = first;
  EXPECT_TRUE(second.shares_memory_with(first));
  second[1] = 20;
  EXPECT_FALSE(second.shares_memory_with(first));
  EXPECT_EQ(first, (Numbers{1, 2, 3}));
  EXPECT_EQ(second, (Numbers{1, 20, 3}));
  const double* own = second.data();
  second[2] = 30;  // nobody shares: changed in place
  EXPECT_EQ(second.data(), own);
}

TEST(Numbers, OneNumberAndNoneAreNumbersToo) {
  Numbers one = {7}, copy = one;
  copy[0] = 8;
  EXPECT_EQ(one[0], 7);
  EXPECT_EQ(copy[0], 8);
  EXPECT_FALSE(one.shares_memory_with(one));  // it is held here
  EXPECT_TRUE(Numbers(0).empty());
  EXPECT_THROW(one.at(1), std::out_of_range);
  EXPECT_EQ(Numbers(3), (Numbers{0, 0, 0}));
}

TEST(Numbers, AFingerprintIsThatOfTheNumbersAsTheyAre) {
  Numbers numbers = {1, 2, 0};
  const Fingerprint before = numbers.fingerprint();
  Numbers copy = numbers;
  EXPECT_EQ(copy.fingerprint(), before);
  copy[2] = 3;
  EXPECT_NE(copy.fingerprint(), before);
  EXPECT_EQ(numbers.fingerprint(), before);
  copy[2] = 0;
  EXPECT_EQ(copy.fingerprint(), before);
  copy[2] = -0.0;  // to the last bit
  EXPECT_NE(copy.fingerprint(), before);
  EXPECT_NE((Numbers{2, 1, 0}).fingerprint(), before);
  EXPECT_NE((Numbers{1, 2}).fingerprint(), before);
  Numbers one = {1};
  EXPECT_EQ(one.fingerprint(), (Numbers{1}).fingerprint());
  *one.begin() = 2;
  EXPECT_EQ(one.fingerprint(), (Numbers{2}).fingerprint());
}

TEST(Dims, HoldWhatATensorMayHaveAndNoMore) {
  Dims dims = {2, 3};
  dims.push_back(4);
  EXPECT_EQ(dims, (Dims{2, 3, 4}));
  EXPECT_NE(dims, (Dims{2, 3}));
  EXPECT_EQ(dims.back(), 4);
  EXPECT_THROW(dims.at(3), std::out_of_range);
  while (dims.size() < Dims::kMaxRank) dims.push_back(1);
  EXPECT_THROW(dims.push_back(1), std::length_error);
}

// What a property leaves as it was drawn is in its questions without a copy.
TEST(Questions, ShareTheNumbersThatTheyDoNotChange) {
  const Subject subject{&multi_head_attention_spec(), Dtype::float64};
  std::size_t shared = 0;
  for (const Property& property : catalogue()) {
    if (property.subject != "attention") continue;
    for (int i = 0; i < 20; ++i) {
      const Case c = drawn_case(*subject.spec, property, 1, i);
      const auto before = drawn(*subject.spec, c, subject.dtype);
      for (const Question& question : property.ask(subject, c)) {
        for (const Named& argument : question.arguments) {
          const Tensor& own = get(*before, argument.name);
          if (own.size() == 1 || argument.tensor != own) continue;
          EXPECT_TRUE(own.values.shares_memory_with(argument.tensor.values))
              << property.id << ' ' << argument.name;
          ++shared;
        }
      }
    }
  }
  EXPECT_GT(shared, 1000u);
}

}  // namespace
}  // namespace attest
