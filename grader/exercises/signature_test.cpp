// A signature's two directions, with numbers that can be followed: what a submission is given, and what its replies mean for the
// default call.
#include "grader/exercises/signature.hpp"

#include "grader/exercises/bias.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest {
namespace {

using testing::ElementsAre;

// 2 tokens, 2 heads of size 1; the last feature of both tokens is 1.
Arguments arguments() {
  return {{"x", {{2, 2}, {5, 1, 6, 1}}},   {"w_q", {{2, 2}, {1, 2, 3, 4}}}, {"w_k", {{2, 2}, {5, 6, 7, 8}}},
          {"w_v", {{2, 2}, {9, 0, 8, 7}}}, {"w_o", {{2, 2}, {1, 2, 3, 4}}}, {"n_heads", {{}, {2}}, true}};
}

Signature signature(std::vector<Form> forms) {
  Signature made;
  made.asked = made.call = multi_head_attention_spec();
  made.call.arguments.clear();
  for (const Form& form : forms) {
    if (form.kind == Form::Kind::bias) made.biased.insert(form.of.begin(), form.of.end());
    made.call.arguments.push_back({form.role, {"rows", "columns"}});
  }
  made.forms = std::move(forms);
  return made;
}

Form given(std::string role, std::vector<std::string> of) {
  Form form;
  form.role = std::move(role);
  form.of = std::move(of);
  return form;
}

Tensor made(const Form& form) {
  return called_with(signature({form}), arguments(), Dtype::float64)[0].tensor;
}

TEST(Signature, PutsTheDefaultNumbersWhereTheCallHasThem) {
  Form joint = given("w", {"w_q", "w_k"});
  EXPECT_THAT(made(joint).values, ElementsAre(1, 2, 5, 6, 3, 4, 7, 8));
  joint.is_transposed = true;
  EXPECT_THAT(made(joint).dims, ElementsAre(4, 2));
  EXPECT_THAT(made(joint).values, ElementsAre(1, 3, 2, 4, 5, 7, 6, 8));
  Form heads = given("w", {"w_q"});
  heads.per_head = Form::PerHead::columns;
  EXPECT_THAT(made(heads).dims, ElementsAre(2, 2, 1));
  EXPECT_THAT(made(heads).values, ElementsAre(1, 3, 2, 4));
  heads.per_head = Form::PerHead::rows;
  EXPECT_THAT(made(heads).dims, ElementsAre(2, 1, 2));
  EXPECT_THAT(made(heads).values, ElementsAre(1, 2, 3, 4));
  Form mask;
  mask.kind = Form::Kind::mask;
  mask.mask = Form::Mask::visible;
  EXPECT_THAT(made(mask).values, ElementsAre(1, 0, 1, 1));
  mask.mask = Form::Mask::hidden;
  EXPECT_THAT(made(mask).values, ElementsAre(0, 1, 0, 0));
}

// The last feature is 1, so the last rows of the weights are the biases. Column 1 of w_v, (0, 7), is 7 for every token: it is taken
// out, and b_o is 7 times row 1 of w_o.
TEST(Biases, AreWhatAllTokensHaveInCommon) {
  const WithBiases moved = moved_into_biases(arguments(), {"w_q", "w_k", "w_v", "w_o"}, Dtype::float64);
  EXPECT_THAT(get(moved.arguments, "x").values, ElementsAre(5, 0, 6, 0));
  EXPECT_THAT(get(moved.arguments, "w_q").values, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(get(moved.arguments, "w_v").values, ElementsAre(9, 0, 8, 0));
  EXPECT_THAT(moved.biases.at("w_q"), ElementsAre(3, 4));
  EXPECT_THAT(moved.biases.at("w_k"), ElementsAre(7, 8));
  EXPECT_THAT(moved.biases.at("w_v"), ElementsAre(8, 0));
  EXPECT_THAT(moved.biases.at("w_o"), ElementsAre(21, 28));
}

TEST(Biases, OfTheOutputProjectionAloneLeaveTheTokensAlone) {
  const WithBiases moved = moved_into_biases(arguments(), {"w_o"}, Dtype::float64);
  EXPECT_EQ(get(moved.arguments, "x"), get(arguments(), "x"));
  EXPECT_THAT(get(moved.arguments, "w_v").values, ElementsAre(9, 0, 8, 0));
  EXPECT_THAT(moved.biases.at("w_o"), ElementsAre(21, 28));
}

TEST(Biases, AreZeroWhereTokensHaveNothingInCommon) {
  Arguments other = arguments();
  other[0].tensor.values[3] = 2;
  const WithBiases moved = moved_into_biases(other, {"w_q", "w_k", "w_v", "w_o"}, Dtype::float64);
  EXPECT_EQ(moved.arguments, other);
  EXPECT_THAT(moved.biases.at("w_q"), ElementsAre(0, 0));
  EXPECT_THAT(moved.biases.at("w_o"), ElementsAre(0, 0));
}

// Changes one number of what it is given, as it reports it.
class Writes final : public Candidate {
 public:
  Writes(std::size_t argument, std::size_t number) : argument_(argument), number_(number) {}
  std::vector<Reply> answer(std::span<const Question> questions) override {
    Reply reply;
    reply.arguments_after = questions[0].arguments;
    reply.arguments_after[argument_].tensor.values[number_] = -1;
    return {reply};
  }

 private:
  std::size_t argument_, number_;
};

Arguments after(const Signature& signature, std::size_t argument, std::size_t number) {
  Writes writes(argument, number);
  AsDefault adapted(signature, Dtype::float64, writes);
  Question question{arguments()};
  question.echo = true;
  return adapted.answer(std::span(&question, 1))[0].arguments_after;
}

// w_q and w_k one below the other, (out, in): number 5 is column 0 of w_k in row 1.
TEST(Signature, TellsWhichDefaultArgumentACallHasChanged) {
  Form joint = given("w", {"w_q", "w_k"});
  joint.is_transposed = true;
  Arguments expected = arguments();
  expected[2].tensor.values[2] = -1;
  EXPECT_EQ(after(signature({joint}), 0, 5), expected);
}

// x was given without what has moved into the bias: that is not the call's doing.
TEST(Signature, DoesNotTakeABiasForAChange) {
  Form bias = given("b", {"w_q"});
  bias.kind = Form::Kind::bias;
  Arguments expected = arguments();
  expected[0].tensor.values[2] = -1;
  EXPECT_EQ(after(signature({given("x", {"x"}), bias}), 0, 2), expected);
}

TEST(Signature, TellsOfItsOwnArgumentsOnlyThoseThatChanged) {
  Form bias = given("b", {"w_q"});
  bias.kind = Form::Kind::bias;
  Arguments expected = arguments();
  expected.push_back({"b", {{2}, {3, -1}}});
  EXPECT_EQ(after(signature({given("x", {"x"}), bias}), 1, 1), expected);
}

}  // namespace
}  // namespace attest
