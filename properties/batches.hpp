// The cases of a search in the batches in which they are asked. Part of search.cpp.
#pragma once

#include "properties/answers.hpp"
#include "properties/search.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace attest {

inline constexpr std::size_t kMostCases = 256;  // of a batch whose answers are known

// Cases whose questions travel together.
struct Batch {
  struct Asked {
    Case value;
    int index = 0;
    std::vector<Question>
        questions;  // all of the case's; those that travel are in the batch until they are answered
    std::vector<Reply> replies;  // likewise
  };
  struct Traveller {
    std::size_t asked, question;  // whose it is
    std::optional<Fingerprint> key;
  };
  std::vector<Asked> cases;
  std::vector<Question> questions;  // those that travel, in order
  std::vector<Traveller> travellers;
};

// The cases of one search, in order, a batch at a time. What it is given must outlive it.
class Cases {
 public:
  Cases(const Property& property, const Subject& subject, const Plan& plan, Avoid avoid,
        const Answers* answers);
  Batch next();  // empty when there are no more
  int avoided() const { return static_cast<int>(avoided_.size()); }
  void go_back_to(int index) { index_ = index; }

 private:
  void add(Batch::Asked asked, Batch& batch) const;

  const Property& property_;
  const Subject& subject_;
  const Plan& plan_;
  Avoid avoid_;
  const Answers* answers_;
  int index_ = 0, wanted_ = 0;
  std::set<int> avoided_;
};

// Puts questions and answers back to their cases. What stopped early leaves a case with fewer replies than questions: those before the
// gap, or none at all.
void come_home(std::vector<Reply> replies, Batch& batch);

}  // namespace attest
