// The ways in which a function for an exercise may be called, as data: what a course or a code base has instead of the default
// (weights transposed, a batch in front, one matrix for queries, keys and values, biases, a class ...). Properties speak about the
// default call; a signature turns each question into the submission's own call, and its results back. docs/signatures.md says how a
// row is written.
#pragma once

#include "properties/candidate.hpp"
#include "properties/spec.hpp"

#include <set>
#include <string>
#include <vector>

namespace attest {

// How one array or integer of the call is made of the default arguments.
struct Form {
  enum class Kind {
    given,    // those of these roles, side by side in columns (one below the other in rows, if transposed)
    product,  // the matrix product of two: queries instead of tokens and a weight
    mask,     // (T, T), saying what a token sees
    bias,     // what is added behind the products with these weights, side by side
    extent,   // an integer that is a symbol's value
  };
  enum class Mask { additive, visible, hidden };  // 0 or -inf; 1 where a token sees; 1 where it does not
  enum class PerHead { no, columns, rows };       // (n_heads, rows, columns): the heads' own columns, or rows

  std::string role;  // the call's own name for it
  Kind kind = Kind::given;
  std::vector<std::string> of;  // roles of the default call; a symbol for an extent
  bool is_transposed = false;   // given only
  PerHead per_head = PerHead::no;
  Mask mask = Mask::additive;
};

struct Signature {
  std::string name = "default";
  Spec
      asked;  // the default call, as properties ask it: with tokens that leave room for biases, if there are any
  Spec call;                // entry, arguments and results as the submission has them
  std::vector<Form> forms;  // of its arguments, by position; empty: the default call itself
  bool batch = false;       // a leading axis of two before what is made of the tokens, and before all results
  std::vector<std::string> missing;  // of the default arguments: w_o alone can be, and is applied here
  std::set<std::string> biased;      // the weights behind whose products something is added
};

// The arguments that a submission gets instead of the default ones.
Arguments called_with(const Signature& signature, const Arguments& arguments, Dtype dtype);
// Whether these are other numbers (a bias, a product), and not the same ones in another order.
bool makes_numbers(const Signature& signature);

// A submission that is called by `signature`, as a candidate that answers the default call. Both must outlive it.
class AsDefault final : public Candidate {
 public:
  AsDefault(const Signature& signature, Dtype dtype, Candidate& submission)
      : signature_(signature), dtype_(dtype), submission_(submission) {}
  std::vector<Reply> answer(std::span<const Question> questions) override;
  void restart() override { submission_.restart(); }
  bool sees_memory_order() const override { return submission_.sees_memory_order(); }

 private:
  Arguments as_default(const Arguments& before, const Arguments& called, const Arguments& after) const;
  void apply_missing(Tensor& y, const Question& question) const;

  const Signature& signature_;
  Dtype dtype_;
  Candidate& submission_;
};

}  // namespace attest
