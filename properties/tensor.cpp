#include "properties/tensor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace attest {

std::string_view to_string(Dtype dtype) { return dtype == Dtype::float32 ? "float32" : "float64"; }

Tensor Tensor::zeros(const Dims& dims) {
  const Index n = std::accumulate(dims.begin(), dims.end(), Index{1}, std::multiplies<>());
  return {dims, Numbers(static_cast<std::size_t>(n))};
}

Tensor Tensor::from(const Eigen::Ref<const Matrix>& matrix) {
  if (matrix.outerStride() == matrix.cols())  // in one piece
    return {{matrix.rows(), matrix.cols()}, Numbers(matrix.data(), matrix.data() + matrix.size())};
  Tensor tensor{{matrix.rows(), matrix.cols()}, Numbers(static_cast<std::size_t>(matrix.size()))};
  Eigen::Map<Matrix>(tensor.values.data(), matrix.rows(), matrix.cols()) = matrix;
  return tensor;
}

Tensor Tensor::from(const Heads& heads) {
  if (heads.empty()) return {{0, 0, 0}, {}};
  Tensor t = zeros({static_cast<Index>(heads.size()), heads[0].rows(), heads[0].cols()});
  double* to = t.values.data();
  for (const Matrix& head : heads) {
    if (head.rows() != heads[0].rows() || head.cols() != heads[0].cols()) {
      throw std::invalid_argument("matrices of different shapes do not make one tensor");
    }
    to = std::copy(head.data(), head.data() + head.size(), to);
  }
  return t;
}

Eigen::Map<const Matrix> Tensor::matrix() const {
  if (dims.empty() || dims.size() > 2) throw std::logic_error("not a matrix: " + shape_text(dims));
  return {values.data(), dims.size() == 2 ? dims[0] : 1, dims.back()};
}

Eigen::Map<const Matrix> Tensor::slice(Index g) const {
  if (dims.size() != 3 || g < 0 || g >= dims[0])
    throw std::logic_error("no such slice of " + shape_text(dims));
  return {values.data() + g * dims[1] * dims[2], dims[1], dims[2]};
}

Heads Tensor::heads() const {
  Heads heads;
  for (Index g = 0; g < dims.at(0); ++g) heads.emplace_back(slice(g));
  return heads;
}

Tensor Tensor::first() const {
  const auto n = values.size() / static_cast<std::size_t>(dims.at(0));
  return {{dims.begin() + 1, dims.end()}, {values.begin(), values.begin() + n}};
}

double Tensor::at(const std::vector<Index>& index) const {
  if (index.size() != dims.size())
    throw std::logic_error("an index of another rank than " + shape_text(dims));
  Index flat = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) flat = flat * dims[d] + index[d];
  return values.at(static_cast<std::size_t>(flat));
}

std::string shape_text(const Dims& dims) {
  return fmt::format("({}{})", fmt::join(dims, ", "), dims.size() == 1 ? "," : "");
}

const Tensor* find(const Arguments& arguments, std::string_view name) {
  const auto it =
      std::find_if(arguments.begin(), arguments.end(), [&](const Named& n) { return n.name == name; });
  return it == arguments.end() ? nullptr : &it->tensor;
}

const Tensor& get(const Arguments& arguments, std::string_view name) {
  if (const Tensor* t = find(arguments, name)) return *t;
  throw std::out_of_range(fmt::format("no argument or result is called '{}'", name));
}

Index get_integer(const Arguments& arguments, std::string_view name, Index otherwise) {
  const Tensor* t = find(arguments, name);
  return t ? static_cast<Index>(t->values.at(0)) : otherwise;
}

void add(Fingerprint& key, const Arguments& arguments) {
  for (const Named& n : arguments) {
    key.add(n.name);
    key.add(std::uint64_t{n.tensor.dims.size()});
    for (const Index dim : n.tensor.dims) key.add(static_cast<std::uint64_t>(dim));
    key.add(n.tensor.values.fingerprint());
  }
}

Inputs<double> attention_inputs(const Arguments& arguments) {
  Inputs<double> in{get(arguments, "x").matrix(),
                    get(arguments, "w_q").matrix(),
                    get(arguments, "w_k").matrix(),
                    get(arguments, "w_v").matrix(),
                    {},
                    get_integer(arguments, "n_heads", 1)};
  if (const Tensor* w_o = find(arguments, "w_o")) in.w_o = w_o->matrix();
  return in;
}

}  // namespace attest
