// One matrix per head, one after another in memory that somebody else owns: how results come back and how right answers are kept.
#pragma once

#include "properties/tensor.hpp"

#include <vector>

namespace attest {

using MatrixView = Eigen::Map<const Matrix>;

class HeadsView {
 public:
  HeadsView() = default;
  HeadsView(const double* data, Index n_heads, Index rows, Index cols)
      : data_(data), n_heads_(n_heads), rows_(rows), cols_(cols) {}

  std::size_t size() const { return static_cast<std::size_t>(n_heads_); }
  Index rows() const { return rows_; }  // of each head
  Index cols() const { return cols_; }
  MatrixView operator[](std::size_t g) const {
    return {data_ + static_cast<Index>(g) * rows_ * cols_, rows_, cols_};
  }
  std::vector<double> flat() const { return {data_, data_ + n_heads_ * rows_ * cols_}; }
  Heads copy() const {
    Heads heads;
    for (std::size_t g = 0; g < size(); ++g) heads.emplace_back((*this)[g]);
    return heads;
  }
  Tensor tensor() const { return {{n_heads_, rows_, cols_}, flat()}; }

 private:
  const double* data_ = nullptr;
  Index n_heads_ = 0, rows_ = 0, cols_ = 0;
};

}  // namespace attest
