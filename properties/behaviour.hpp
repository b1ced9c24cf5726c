// What an implementation does on the questions of a diagnosis, and whether a changed reference does the same.
#pragma once

#include "properties/diagnose.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attest {

class Behaviour {
 public:
  // `questions` were answered by `replies`, all with results.
  Behaviour(const Subject& subject, const std::vector<Question>& questions, std::vector<Reply> replies);

  // Whether the reference with these changes gives the same replies, each within its own rounding. Costs about one run for what differs
  // at once.
  bool is_of(std::span<const Change* const> changes) const;
  // On how many questions the changed reference can be told from the right one, and over how many pairs (n_heads, d_k).
  struct Difference {
    int questions = 0, shapes = 0;
  };
  Difference from_reference(std::span<const Change* const> changes) const;

  // The probability with which weights, or else outputs, are zeroed while all others are divided by what is left of 1: dropout. Nothing
  // where a single one is neither.
  std::optional<double> dropout() const;

  bool has_numbers() const;  // finite ones, in any y

  // Question by question: whether the implementation's own reply is right.
  std::vector<bool> right() const;

  const std::vector<Question>& questions() const { return questions_; }
  const std::vector<Reply>& replies() const { return replies_; }

 private:
  enum class Match { same, close, different };
  class Run;

  std::optional<double> dropout_of(std::string_view result) const;
  Match compare(const Reply& actual, const Reply& expected, std::size_t question) const;
  bool near(const Reply& actual, const Reply& expected, std::span<const Reply> shaken) const;
  bool is_right(const Reply& reply, std::size_t question, std::span<const Reply> shaken) const;

  const Subject& subject_;
  const std::vector<Question>& questions_;
  std::vector<Reply> replies_;
  std::vector<bool> ordinary_;  // no score is so large that rounding could explain a visible difference
  double unit_roundoff_, underflow_;
};

}  // namespace attest
