// What an exercise asks for, as data: the arguments and results of its entry with symbolic shapes.
#pragma once

#include "properties/extents.hpp"
#include "properties/tensor.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// An extent that shapes are made of. Free ("T"), or the product of others ("d_model = n_heads d_head").
struct Symbol {
  std::string name;
  std::vector<std::string> factors;  // empty: free
  bool is_free() const { return factors.empty(); }
};

struct ArgumentSpec {
  std::string role;  // "x", "w_q", ...
  std::vector<std::string>
      dims;  // symbols, e.g. {"T", "d_model"}; for an integer: the one symbol it is the value of
  bool integer = false;
};

struct ResultSpec {
  std::string name;  // "y", "weights"
  std::vector<std::string> dims;
  bool optional = false;  // may be left out by the implementation
};

// What a file in Python may import beside the standard library: `packages`, and nothing else is there. Of the standard library,
// what is `reported` is told to whoever reads the report, and what is `refused` is not run.
struct Imports {
  std::vector<std::string> packages = {"numpy"}, reported, refused;
};

struct Spec {
  std::string slug;     // of the exercise, e.g. "multi-head"; only ever compared by tokens
  std::string entry;    // the function's name
  std::string subject;  // which family of properties speaks about it: "attention", ...
  std::vector<Symbol> symbols;
  std::vector<ArgumentSpec> arguments;
  std::vector<ResultSpec> results;
  // Further functions that the same file must define, e.g. the inverse of the entry: entry, arguments and results of their own.
  std::vector<Spec> also;
  // How a worker calls it, where that is not entry(arguments, in their order): a class, or arguments in containers.
  struct Calling {
    std::string plan;                     // JSON that worker.py reads; empty: a function of the arguments
    std::vector<std::string> parameters;  // of the entry itself; of a class: its constructor's
    std::string text;                     // for people
  } calling;
  // Every other case's tokens end with a feature that is 1, so that what it is multiplied with can be given as a bias instead.
  bool ends_with_one = false;
  Imports imports = {};

  // 0 is this one, k the k-th of `also`.
  const Spec& call(std::size_t number) const { return number == 0 ? *this : also.at(number - 1); }
  std::vector<std::string> free_symbols() const;
  // Free extents -> all extents. Throws std::invalid_argument when one is missing or < 1.
  Extents complete(Extents free) const;
  const ArgumentSpec* argument(std::string_view role) const;
  const ResultSpec* result(std::string_view name) const;
};

// Parses "T", "d_model = n_heads d_head"; throws std::invalid_argument with the text and what was expected.
Symbol parse_symbol(std::string_view text);
// Splits "T d_model" at blanks.
std::vector<std::string> parse_dims(std::string_view text);

// The extents that a call's arguments have (the first binding of each symbol wins; the call was made by us).
Extents extents_of(const Spec& spec, const Arguments& arguments);
// The shape that the symbolic dims stand for.
Dims resolve(const std::vector<std::string>& dims, const Extents& extents);
Dims resolve(const std::vector<std::string>& dims, const Spec& spec, const Arguments& arguments);

// "y has shape (1, 2); it must be (T, d_model) = (2, 1)"
std::string shape_complaint(const ResultSpec& promised, const Tensor& result, const Dims& shape);

// Builds the call for attention inputs, in the spec's order of roles.
Arguments attention_arguments(const Spec& spec, const Inputs<double>& in);

// A case's attention inputs, or what a property has made of them. What is still as it was drawn is shared, not copied, by the arguments.
struct CaseInputs : Inputs<double> {
  std::shared_ptr<const Arguments> drawn;
};
Arguments attention_arguments(const Spec& spec, const CaseInputs& in);

// The specification of the interview question: (x, w_q, w_k, w_v, w_o, n_heads) -> y, optional weights. The default
// subject of a suite that is linked in process; exercises.toml declares the same row and a test holds them equal.
const Spec& multi_head_attention_spec();

}  // namespace attest
