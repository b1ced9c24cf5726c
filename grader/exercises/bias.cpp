#include "grader/exercises/bias.hpp"

namespace attest {
namespace {

using Vector = Eigen::Matrix<long double, 1, Eigen::Dynamic>;

std::vector<double> rounded(const Vector& row, Dtype dtype) {
  std::vector<double> values;
  for (const long double v : row) {
    values.push_back(dtype == Dtype::float32 ? static_cast<double>(static_cast<float>(v))
                                             : static_cast<double>(v));
  }
  return values;
}

bool is_zero(const Matrix& matrix) { return (matrix.array() == 0).all(); }

void replace(Arguments& arguments, std::string_view role, const Matrix& by) {
  const_cast<Tensor&>(get(arguments, role)) = Tensor::from(by);
}

// 1 for each feature that is 1 in all tokens.
Vector common_features(const Matrix& x) {
  Vector common = Vector::Zero(x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    if ((x.col(j).array() == 1).all()) common[j] = 1;
  }
  return common;
}

// What the columns of w_v that meet common features only add to y; those columns become 0.
Vector move_behind_w_o(const Vector& common, Matrix& w_v, const Matrix& w_o) {
  Vector bias = Vector::Zero(w_o.cols());
  Matrix rest = w_v;
  for (Index m = 0; m < w_v.cols(); ++m) {
    const Vector column = w_v.col(m).transpose().cast<long double>();
    const bool meets_others = (common.array() == 0 && column.array() != 0).any();
    if (meets_others || is_zero(w_v.col(m))) continue;
    bias += common.dot(column) * w_o.row(m).cast<long double>();
    rest.col(m).setZero();
  }
  if (is_zero(rest)) return Vector::Zero(w_o.cols());
  w_v = rest;
  return bias;
}

}  // namespace

WithBiases moved_into_biases(Arguments arguments, const std::set<std::string>& biased, Dtype dtype) {
  WithBiases moved{std::move(arguments), {}};
  if (biased.empty()) return moved;
  Matrix x = get(moved.arguments, "x").matrix(), w_v = get(moved.arguments, "w_v").matrix();
  const Vector common = common_features(x);
  if (biased.contains("w_o")) {
    const Matrix w_o = get(moved.arguments, "w_o").matrix();
    moved.biases["w_o"] = rounded(move_behind_w_o(common, w_v, w_o), dtype);
    replace(moved.arguments, "w_v", w_v);
  }
  if (!biased.contains("w_q")) return moved;
  for (const char* role : {"w_q", "w_k", "w_v"}) {
    const Matrix w = get(moved.arguments, role).matrix();
    moved.biases[role] = rounded(common * w.cast<long double>(), dtype);
  }
  for (Index j = 0; j < x.cols(); ++j) {
    if (common[j] == 1) x.col(j).setZero();
  }
  replace(moved.arguments, "x", x);
  return moved;
}

}  // namespace attest
