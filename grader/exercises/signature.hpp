// The ways in which a function for an exercise may be called, as data: what a course or a code base has instead of the default
// (weights transposed, a batch in front, one matrix for queries, keys and values, a class ...). Properties speak about the default
// call; a signature turns each question into the submission's own call, and its results back.
#pragma once

#include "properties/candidate.hpp"
#include "properties/spec.hpp"

#include <string>
#include <vector>

namespace attest {

// How one argument of the call is made of the default ones.
struct Form {
  enum class Kind {
    as_is,       // the argument of that role
    transposed,  // its transpose: weights (out, in)
    joint,       // several, side by side in columns (one below the other in rows, if transposed)
    product,     // the matrix product of two: queries instead of tokens and a weight
    mask,        // (T, T), 0 where a token sees and -inf where it does not
    zeros,       // a vector of zeros: a bias
    extent,      // an integer that is a symbol's value
  };
  std::string role;  // the call's own name for it
  Kind kind = Kind::as_is;
  std::vector<std::string> of;  // roles of the default call; symbols for zeros and extent
  bool is_transposed = false;   // joint only
};

struct Signature {
  std::string name = "default";
  Spec call;                         // entry, arguments and results as the submission has them
  std::vector<Form> forms;           // of its arguments, by position; empty: the default call itself
  bool batch = false;                // a leading axis of two before the first argument and all results
  std::vector<std::string> missing;  // of the default arguments: w_o alone can be, and is applied here
};

// A submission that is called by `signature`, as a candidate that answers the default call. Both must outlive it.
class AsDefault final : public Candidate {
 public:
  AsDefault(const Spec& spec, const Signature& signature, Dtype dtype, Candidate& submission)
      : spec_(spec), signature_(signature), dtype_(dtype), submission_(submission) {}
  std::vector<Reply> answer(std::span<const Question> questions) override;
  bool sees_memory_order() const override { return submission_.sees_memory_order(); }

 private:
  void apply_missing(Tensor& y, const Question& question) const;

  const Spec& spec_;
  const Signature& signature_;
  Dtype dtype_;
  Candidate& submission_;
};

}  // namespace attest
