// A case is a value with one written form: what it stands for is a function of what is written.
#include "properties/case.hpp"

#include "properties/bounds.hpp"
#include "properties/generate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

const Spec& spec() { return multi_head_attention_spec(); }

Case small_case() {
  Case c;
  c.free = {{"T", 3}, {"n_heads", 2}, {"d_head", 2}};
  c.seed = 7;
  return c;
}

Spec single_head_spec() {
  Spec s = spec();
  s.slug = "causal-attention";
  s.symbols = {{"T", {}}, {"d_model", {}}, {"d_k", {}}, {"d_v", {}}};
  s.arguments = {{"x", {"T", "d_model"}},
                 {"w_q", {"d_model", "d_k"}},
                 {"w_k", {"d_model", "d_k"}},
                 {"w_v", {"d_model", "d_v"}}};
  s.results = {{"y", {"T", "d_v"}}, {"weights", {"T", "T"}, true}};
  return s;
}

TEST(Case, GivesEveryArgumentTheShapeThatTheSpecSays) {
  const Arguments a = materialise(spec(), small_case(), Dtype::float64);
  ASSERT_EQ(a.size(), 6u);
  EXPECT_EQ(get(a, "x").dims, (Dims{3, 4}));  // (T, d_model) with d_model = n_heads d_head = 4
  EXPECT_EQ(get(a, "w_o").dims, (Dims{4, 4}));
  EXPECT_EQ(get_integer(a, "n_heads", 0), 2);
}

TEST(Case, OfAnExerciseWithOneHeadHasIndependentExtents) {
  Case c;
  c.free = {{"T", 2}, {"d_model", 5}, {"d_k", 3}, {"d_v", 4}};
  const Arguments a = materialise(single_head_spec(), c, Dtype::float64);
  EXPECT_EQ(get(a, "w_q").dims, (Dims{5, 3}));
  EXPECT_EQ(get(a, "w_v").dims, (Dims{5, 4}));
}

// The last feature of every token is 1 in the cases of odd seeds, and no other feature of the first token ever is: what a prefix has in
// common, the whole has. The seed says it, so a token does.
TEST(Case, EndsWithOneWhereTheSpecSaysSo) {
  Spec with = spec();
  with.ends_with_one = true;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const Regime regime :
         {Regime::signs, Regime::integers, Regime::equal_rows, Regime::dominant_key, Regime::huge}) {
      Case c = small_case();
      c.seed = seed, c.regime = regime;
      const Arguments a = materialise(with, c, Dtype::float64);
      const Matrix x = get(a, "x").matrix();  // (3, 4)
      EXPECT_EQ((x.col(3).array() == 1).all(), seed % 2 == 1) << seed;
      EXPECT_FALSE((x.topLeftCorner(1, 3).array() == 1).any()) << seed;
      const Matrix value = get(a, "w_v").matrix().rightCols(1);
      EXPECT_TRUE(seed % 4 != 3 || (value.topRows(3).array() == 0).all()) << seed;
      EXPECT_TRUE(!is_ordinary(regime) || largest_score(attention_inputs(a)) <= kOrdinaryScore) << seed;
      EXPECT_EQ(materialise(with, parse_token(token(with, Dtype::float64, c)).value, Dtype::float64), a);
    }
  }
}

// What makes shrinking keep the data: element (i, j) does not depend on the shape.
TEST(Case, OfASmallerShapeIsTheLeadingBlockOfALargerOne) {
  Case larger = small_case(), smaller = small_case();
  larger.regime = smaller.regime = Regime::signs;  // few features, so no power of two is taken out of w_q
  smaller.free["T"] = 2;
  const Tensor a = get(materialise(spec(), larger, Dtype::float64), "x"),
               b = get(materialise(spec(), smaller, Dtype::float64), "x");
  EXPECT_EQ(Matrix(a.matrix().topRows(2)), Matrix(b.matrix()));
}

TEST(Case, OfIntegersHoldsIntegersFromMinusFourToFour) {
  Case c = small_case();
  c.free["T"] = 40;
  const Tensor x = get(materialise(spec(), c, Dtype::float64), "x");
  for (const double v : x.values) EXPECT_TRUE(v == std::trunc(v) && std::fabs(v) <= 4) << v;
  EXPECT_EQ(*std::max_element(x.values.begin(), x.values.end()), 4);
  EXPECT_EQ(*std::min_element(x.values.begin(), x.values.end()), -4);
}

TEST(Case, RoundsToFloatForFloat32) {
  Case c = small_case();
  c.regime = Regime::near_ties;
  for (const Named& n : materialise(spec(), c, Dtype::float32)) {
    for (const double v : n.tensor.values) EXPECT_EQ(v, static_cast<double>(static_cast<float>(v)));
  }
}

RC_GTEST_PROP(Case, OfAnOrdinaryRegimeNeverScoresAboveTwenty, ()) {
  const Case c = *cases(spec(), catalogue().front(), Dtype::float64);
  RC_ASSERT(largest_score(attention_inputs(materialise(spec(), c, Dtype::float64))) <= kOrdinaryScore);
}

RC_GTEST_PROP(Token, IsReadBackAsTheSameCase, ()) {
  const Property& property = *find_property("causality/truncation-invariance");
  rc::Shrinkable<Case> tree = case_at(spec(), property, Dtype::float64, 1, *rc::gen::inRange(0, 150));
  for (int step = *rc::gen::inRange(0, 40); step > 0;
       --step) {  // walk down, so that zeroed and spelled-out cases occur
    auto children = tree.shrinks();
    for (int skip = *rc::gen::inRange(0, 4); skip > 0; --skip) children.next();
    const auto child = children.next();
    if (!child) break;
    tree = *child;
  }
  const Case c = tree.value();
  const ParsedToken parsed = parse_token(token(spec(), Dtype::float64, c));
  RC_ASSERT(parsed.value == c);
  RC_ASSERT(parsed.slug == "multi-head");
  check_fits(spec(), parsed.value);
}

// A token that people have noted down stays readable for ever: this one stands for version a1.
TEST(Token, OfVersionOneStandsForThisCase) {
  const std::string text =
      "a1:multi-head:float32:T.2:d_head.1:n_heads.1:signs:s.ff:z.w_k:p.t.1:v.x.2_1.1_-0.5:v.w_q.1_1.2e-05:v."
      "w_k.1_1.0:v.w_v.1_1.1:"
      "v.w_o.1_1.inf:v.n_heads.n.1";
  const ParsedToken p = parse_token(text);
  EXPECT_EQ(p.dtype, Dtype::float32);
  EXPECT_EQ(p.value.free, (Extents{{"T", 2}, {"d_head", 1}, {"n_heads", 1}}));
  EXPECT_EQ(p.value.seed, 255u);
  EXPECT_EQ(p.value.choice("t"), 1);
  EXPECT_EQ(get(*p.value.literal, "x").values, (std::vector<double>{1, -0.5}));
  EXPECT_EQ(get(*p.value.literal, "w_q").values, std::vector<double>{2e-5f});
  EXPECT_TRUE(std::isinf(get(*p.value.literal, "w_o").values[0]));
}

struct Refused {
  const char* text;
  const char* because;
};

class RefusedToken : public testing::TestWithParam<Refused> {};

TEST_P(RefusedToken, SaysWhere) {
  try {
    check_fits(spec(), parse_token(GetParam().text).value);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr(GetParam().because));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Token, RefusedToken,
    testing::Values(Refused{"", "begins with 'a1:'"},
                    Refused{"b7:multi-head:float64:T.1", "begins with 'a1:'"},
                    Refused{"a1:multi-head", "too early"},
                    Refused{"a1:multi-head:float16:T.1", "expected float32 or float64"},
                    Refused{"a1:multi-head:float64:T.0", "from 1 to 4096"},
                    Refused{"a1:multi-head:float64:T.99999999999999999999", "is not a number"},
                    Refused{"a1:multi-head:float64:T.1:s.xyz", "is not a number"},
                    Refused{"a1:multi-head:float64:T.1:p.t.-1", "from 0 to 4096"},
                    Refused{"a1:multi-head:float64:T.1:p.t.4097", "from 0 to 4096"},
                    Refused{"a1:multi-head:float64:T.1", "n_heads must be given"},
                    Refused{"a1:multi-head:float64:T.1 ", "may occur"},
                    Refused{"a1:multi-head:float64:T.1:v.x.1_1", "v.ROLE.DIMS.VALUES"},
                    Refused{"a1:multi-head:float64:T.1:v.x.2_2.1", "does not fit the shape"},
                    Refused{"a1:multi-head:float64:T.1:v.x.2_2.z99", "more zeros"},
                    Refused{"a1:multi-head:float64:T.1:v.x.4096_4096.1", "too large"},
                    Refused{"a1:multi-head:float32:T.1:v.x.1_1.1e60", "larger than any float32"},
                    Refused{"a1:multi-head:float64:T.1:n_heads.1:d_head.1:v.x.1_1.1",
                            "number of arguments"}));

// What is remembered of a case is its own: another exercise's case with the same seed has other numbers, and so has one that was changed.
TEST(Case, IsDrawnAlikeWhateverWasDrawnBefore) {
  Spec biased = multi_head_attention_spec();
  biased.ends_with_one = true;
  Case c;
  c.free = {{"T", 3}, {"n_heads", 2}, {"d_head", 2}};
  c.seed = 7;
  const Arguments first = materialise(multi_head_attention_spec(), c, Dtype::float64);
  const Arguments other = materialise(biased, c, Dtype::float64);
  EXPECT_EQ(Matrix(get(other, "x").matrix().col(3)), Matrix(Matrix::Ones(3, 1)));
  Case zeroed = c;
  zeroed.zeroed = {"w_q"};
  EXPECT_EQ(get(materialise(multi_head_attention_spec(), zeroed, Dtype::float64), "w_q"),
            Tensor::zeros({4, 4}));
  for (std::uint64_t seed = 100; seed < 20000; ++seed) {  // more than is remembered
    Case next = c;
    next.seed = seed;
    materialise(multi_head_attention_spec(), next, Dtype::float64);
  }
  EXPECT_EQ(materialise(multi_head_attention_spec(), c, Dtype::float64), first);
}

}  // namespace
}  // namespace attest
