// The questions of a diagnosis: what tells the rows of the zoo apart.
#include "properties/diagnose.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace attest {
namespace {

// Heads and head size. Three heads of five features tell apart what coincides elsewhere: with d_head = 4 the precedence slip d_head / 2 is
// the right scale, with n_heads = d_head the two roots are one, with 2 heads reversed is rotated. Up to 8 features, a multiple of 8 is 8.
struct Shape {
  Index n_heads, d_head;
};
constexpr std::array kShapes = {Shape{3, 5}, Shape{2, 3}, Shape{3, 5}, Shape{4, 2}, Shape{1, 11}};

// Lengths in turn; only 8 and 12 are multiples of 4, the smallest tile that kernels have. The first call is shorter than others later: a mask that is
// kept from it is too small.
constexpr std::array<Index, 11> kTokens = {7, 9, 2, 1, 8, 5, 12, 1, 3, 17, 7};

// Largest |score|, hidden ones included. Below 20 all but numerics shows; 2000 overflows an exponential, the others are beyond the sentinels
// that people write.
constexpr std::array kScores = {2.0, 8.0, 2.0, 40.0, 2e3, 2.0, 3e5, 8.0,
                                2e3, 1e8, 2.0, 1e13, 3e4, 2.0, 3e9, 1e13};
// From here on every token's own score is below 0: what stands for minus infinity shows where all that a row sees is lower.
constexpr double kLowScore = 1e8;

constexpr std::array kDrawnFrom = {Regime::gaussian,     Regime::signs,    Regime::dyadic,  Regime::gaussian,
                                   Regime::dominant_key, Regime::gaussian, Regime::integers};

// Beyond the sizes above: a number of tokens, heads or features up to which a bug does not show, or from which on it does, is smaller.
constexpr double kLargerScore = 6;
struct Larger {
  Index tokens;
  Shape shape;
};
constexpr std::array kLarger = {
    Larger{3, {9, 2}},  Larger{4, {1, 19}}, Larger{5, {6, 3}},  Larger{3, {2, 34}},  Larger{3, {17, 2}},
    Larger{40, {2, 3}}, Larger{3, {1, 66}}, Larger{70, {2, 2}}, Larger{3, {1, 130}}, Larger{130, {1, 2}}};

// No two of the four cycles above have a common factor, and the longest two have 176 pairs: every two entries meet.
constexpr int kQuestions = 240;
constexpr int kEcho = 4;     // of every so many, the arguments are looked at after the call
constexpr int kRepeat = 12;  // the last of so many repeats the one before

Index extent(const std::string& symbol, Index tokens, const Shape& shape) {
  if (symbol == "T") return tokens;
  if (symbol == "n_heads") return shape.n_heads;
  if (symbol == "d_head" || symbol == "d_k") return shape.d_head;
  return shape.d_head + (symbol == "d_v" ? 1 : 2);
}

// w_q = -w_k
void answer_by_minus_itself(Arguments& arguments) {
  const Numbers keys = get(arguments, "w_k").values;
  for (Named& n : arguments) {
    if (n.name != "w_q") continue;
    std::transform(keys.begin(), keys.end(), n.tensor.values.begin(), std::negate<>());
  }
}

}  // namespace

std::vector<Question> diagnostic_questions(const Spec& spec, Dtype dtype, std::uint64_t seed,
                                           bool memory_orders) {
  std::vector<Question> questions;
  questions.reserve(kQuestions + kLarger.size());
  const auto ask = [&](std::size_t i, Index tokens, const Shape& shape, Regime regime, double largest) {
    Case c;
    for (const std::string& symbol : spec.free_symbols()) c.free[symbol] = extent(symbol, tokens, shape);
    c.regime = regime;
    c.seed = seed + i;
    Question question{materialise(spec, c, dtype)};
    if (largest >= kLowScore) answer_by_minus_itself(question.arguments);
    set_largest_score(question.arguments, largest);
    question.echo = i % kEcho == 0;
    if (memory_orders) question.order = static_cast<MemoryOrder>(i % 3);
    questions.push_back(std::move(question));
  };
  for (std::size_t i = 0; i < kQuestions; ++i) {
    if (i % kRepeat == kRepeat - 1) {
      questions.push_back(questions.back());
    } else {
      ask(i, kTokens[i % kTokens.size()], kShapes[i % kShapes.size()], kDrawnFrom[i % kDrawnFrom.size()],
          kScores[i % kScores.size()]);
    }
  }
  for (std::size_t i = 0; i < kLarger.size(); ++i)
    ask(kQuestions + i, kLarger[i].tokens, kLarger[i].shape, Regime::gaussian, kLargerScore);
  return questions;
}

}  // namespace attest
