// One generated test case: a shape, a regime, a seed, and what shrinking has changed. A value type, small, printable.
#pragma once

#include "properties/spec.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attest {

// How the numbers of a case are drawn, from the simplest to the wildest. "Ordinary" regimes keep every |score| <= 20 (by a
// power of two on w_q), where all correct styles agree; magnitude is a regime of its own, never an accident.
enum class Regime {
  zeros,         // everything 0
  signs,         // -1, 0, 1
  integers,      // -4 ... 4
  dyadic,        // multiples of 1/8 in [-4, 4]
  gaussian,      // Irwin-Hall approximation of N(0, 1)
  near_ties,     // rows of x equal but for 1e-8 ... 1e-2
  equal_rows,    // all rows of x equal
  one_hot,       // rows of x are unit vectors
  dominant_key,  // one row of x 8 times as large as the rest
  tiny,          // subnormal products
  huge,          // scores of 1e3 ... 1e20, both signs
};
std::string_view to_string(Regime regime);
std::optional<Regime> parse_regime(std::string_view name);
bool is_ordinary(Regime regime);
// The largest |score|, hidden pairs included, of an ordinary case. Below it a softmax without a maximum and one that is
// renormalised after masking are right too, so ordinary cases never flag them; large scores are properties of their own.
inline constexpr double kOrdinaryScore = 20;

struct Case {
  Extents free;  // the spec's free symbols
  Regime regime = Regime::integers;
  std::uint64_t seed =
      0;  // element (role, i, j) = hash(seed, role, i, j): a smaller shape is a leading block
  std::set<std::string> zeroed;                        // roles that are all zero
  std::vector<std::pair<std::string, Index>> choices;  // a property's drawn parameters, e.g. {"t", 2}
  std::shared_ptr<const Arguments> literal;  // all tensors spelled out; the rest above is then history

  Index choice(std::string_view name, Index otherwise = 0) const;
  bool operator==(const Case& other) const;
};

// Of a role or an id, the same for ever and on every machine: what is drawn for one name does not change when another is added.
std::uint64_t name_hash(std::string_view name);

// The arguments that a case stands for. Deterministic: the same on every machine (no libm in the draw). float32: values
// are rounded to float.
Arguments materialise(const Spec& spec, const Case& c, Dtype dtype);

// Multiplies w_q by the power of two that brings the largest |score|, hidden ones included, nearest to `wanted`. Exact; nothing changes where
// all scores are 0.
void set_largest_score(Arguments& arguments, double wanted);

// The case as one word of [A-Za-z0-9:._-], and back: parse(token(c)) == c. The token names version, exercise and dtype;
// tokens of older versions stay readable. parse throws std::invalid_argument saying what is wrong and where.
//   a1:multi-head:float64:T.2:n_heads.1:d_head.1:integers:s.5f3a:z.w_q:p.t.1      and, when spelled out, per tensor
//   ...:v.w_o.2_2.1_z3        rows_columns, then the values row by row; z3 stands for three zeros
std::string token(const Spec& spec, Dtype dtype, const Case& c);
struct ParsedToken {
  std::string slug;
  Dtype dtype;
  Case value;
};
ParsedToken parse_token(std::string_view text);

// Throws std::invalid_argument unless the case's extents and literals are of the exercise's shapes: a token may come from
// another exercise, or from somebody's keyboard.
void check_fits(const Spec& spec, const Case& c);

}  // namespace attest
