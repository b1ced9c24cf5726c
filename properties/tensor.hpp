// Numbers with a shape and a name: what goes to an implementation and what comes back.
#pragma once

#include "properties/numbers.hpp"
#include "reference/attention.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

using Matrix = MatrixOf<double>;
using Heads = HeadsOf<double>;

// The precision an implementation computes in. Values of either kind are held as double: every float is one exactly.
enum class Dtype { float32, float64 };
std::string_view to_string(Dtype dtype);

// Row-major. Rank 0 (no dims, one value) to 3.
struct Tensor {
  Dims dims;
  Numbers values;

  static Tensor zeros(const Dims& dims);
  static Tensor from(const Eigen::Ref<const Matrix>& matrix);  // (rows, cols)
  static Tensor from(const Heads& heads);  // (n, rows, cols); all of one shape, else std::invalid_argument

  Index size() const { return static_cast<Index>(values.size()); }
  Eigen::Map<const Matrix> matrix() const;        // rank 2; rank 1 is one row
  Eigen::Map<const Matrix> slice(Index g) const;  // matrix g of a rank-3 tensor
  Heads heads() const;                            // all of them
  Tensor first() const;                           // along the outermost axis, which goes
  double at(const std::vector<Index>& index) const;
  bool operator==(const Tensor&) const = default;
};

// "(2, 3)", "(4,)", "()"; for messages.
std::string shape_text(const Dims& dims);

// A tensor under the role that it plays in the call ("x", "w_q", ...) or the name of a result ("y", "weights").
struct Named {
  std::string name;
  Tensor tensor;
  bool integer = false;  // a count such as n_heads, passed as an integer; rank 0
  bool operator==(const Named&) const = default;
};

using Arguments = std::vector<Named>;

// The tensor called `name`, or nullptr.
const Tensor* find(const Arguments& arguments, std::string_view name);
// The same, but absence is our own error: std::out_of_range.
const Tensor& get(const Arguments& arguments, std::string_view name);
Index get_integer(const Arguments& arguments, std::string_view name, Index otherwise);

// Adds all of them: names, shapes, numbers.
void add(Fingerprint& key, const Arguments& arguments);

// Attention's typed view of its arguments and back. Roles: x, w_q, w_k, w_v, w_o (optional), n_heads (optional, 1).
Inputs<double> attention_inputs(const Arguments& arguments);

}  // namespace attest
