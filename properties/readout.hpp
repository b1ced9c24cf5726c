// The weights of an implementation, returned or not: what is not returned is read out through the values.
//
// Feature columns of x are turned into labels that only the values see: x[j, f] = 1 for one token j_f, rows f of w_q and w_k
// zero, w_v[f, g d_v + f] = 1 and w_o the identity. Then y[i, g d_v + f] = A[g, i, j_f]: y *is* the weights, of the inputs with
// those features taken from the scores. c = min(d_v, d_model - reserve) tokens can be labelled in one call; ceil(T / c) calls
// read all. It presumes a right value path (kReadOutRests).
#pragma once

#include "properties/property.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

inline constexpr std::array<std::string_view, 3> kReadOutRests = {"values/first-row", "values/linear-in-w-o",
                                                                  "heads/influence-map"};
inline constexpr Index kMostReadOutCalls = 16;  // a longer sequence is left out

// The questions whose replies show the weights of `in` (or of `in` without its label features). `reserve`: how many of the last
// features the scores must keep. Empty when the weights cannot be read: no feature left, or too many tokens.
std::vector<Question> ask_weights(const Subject& subject, const CaseInputs& in, Index reserve = 1);

// The same of a case's own inputs.
std::vector<Question> ask_weights(const Subject& subject, const Case& c);

// Weights that could be read out if there were fewer tokens.
bool too_long_to_read(const Subject& subject, const Inputs<double>& in, Index reserve = 1);

// How many questions that takes.
std::size_t weight_calls(const Subject& subject, const Inputs<double>& in, Index reserve = 1);

// Weights as they were returned, which the replies own, or put together.
class ReadWeights {
 public:
  explicit ReadWeights(HeadsView returned) : view_(returned) {}
  ReadWeights(std::vector<double> numbers, Index n_heads, Index n_tokens)
      : numbers_(std::move(numbers)), view_(numbers_.data(), n_heads, n_tokens, n_tokens) {}
  ReadWeights(ReadWeights&&) = default;
  const HeadsView& view() const { return view_; }
  operator const HeadsView&() const { return view_; }
  std::size_t size() const { return view_.size(); }
  MatrixView operator[](std::size_t g) const { return view_[g]; }

 private:
  std::vector<double> numbers_;
  HeadsView view_;
};

// The weights, n_heads x (T, T), from the replies to those questions.
ReadWeights read_weights(const Subject& subject, std::span<const Question> questions,
                         std::span<const Reply> replies, Index reserve = 1);

// The inputs that the weights are of: those of the first question.
Inputs<double> inputs_of(const Question& question);

// How far a weight may be from `expected.weights`: the bound on weights, and on the sums that carry them when read out.
double weight_bound(const Subject& subject, const Expected& expected, std::size_t head, Index i, Index j);

}  // namespace attest
