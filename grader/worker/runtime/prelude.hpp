// What every C++ submission is compiled after: the learner's header with Eigen's assertions made into messages. Compiled
// once and kept (a precompiled header), because Eigen takes longer to read than any answer.
#pragma once

#include "misfit.hpp"

namespace attest_worker {
[[noreturn]] void eigen_assertion_failed(const char* condition, const char* file, int line);
[[noreturn]] void shapes_do_not_fit(Misfit kind, std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t c = 0,
                                    std::ptrdiff_t d = 0, std::ptrdiff_t e = 0, std::ptrdiff_t f = 0);
}  // namespace attest_worker

namespace Eigen {
using attest_worker::Misfit;
}

// Eigen's own would end the process; an exception says what was wrong and costs one question.
#define eigen_assert(condition)       \
  ((condition) ? static_cast<void>(0) \
               : ::attest_worker::eigen_assertion_failed(#condition, __FILE__, __LINE__))

// Stands for some of them in the copy of Eigen that submissions are compiled with (eigen.cpp).
#define ATTEST_ASSERT(shapes, ...) \
  ((__VA_ARGS__) ? static_cast<void>(0) : ::attest_worker::shapes_do_not_fit shapes)

#include <attest/exercise.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace attest_worker {

// The arguments of a call, by position; each kind is empty where another is meant.
struct Argument {
  attest::Matrix matrix;
  attest::Heads heads;
  attest::Index integer = 0;
};

// Collects what an entry returns: one overload for each type that it may have.
struct Results {
  std::vector<attest::Heads> arrays;  // y, then the weights
  std::vector<bool> stacked;          // whether an array is several matrices (rank 3) or one (rank 2)
  void put(const attest::Matrix& matrix);
  void put(const attest::Heads& heads);
  void put(const attest::Attention& attention);
};

// Written for each submission: calls one of its functions, the entry being 0.
void call_entry(int call, std::vector<Argument>& arguments, Results& results);
extern const int kResultRanks[2];  // the ranks of y and the weights; 0: there is none

// Never called. It makes the compiler instantiate, while it builds the precompiled header, the expressions that answers are
// made of; each is then paid for once and not in every submission.
inline attest::Matrix warm(const attest::Matrix& a, const attest::Matrix& b, attest::Scalar s) {
  using attest::Index;
  using attest::Matrix;
  using Vector = Eigen::Matrix<attest::Scalar, Eigen::Dynamic, 1>;
  Matrix product = a * b, transposed = a * b.transpose(), scaled = a * b.transpose() / s,
         left = a.transpose() * b;
  Matrix sum = a + b, difference = a - b, times = a * s, quotient = a / s, entrywise = a.cwiseProduct(b),
         flipped = a.transpose();
  product += a, product -= b, product *= s, product /= s;
  const Matrix q = a.middleCols(0, 1), k = b.middleCols(0, 1), block = a.block(0, 0, 1, 1);
  sum = a.middleCols(0, 1) * b.middleCols(0, 1).transpose();
  sum = a.middleCols(0, 1) * b.middleCols(0, 1).transpose() / s;
  difference.middleCols(0, 1) = a * b;
  difference.block(0, 0, 1, 1) = a * b;
  difference.middleCols(0, 1) = a;
  for (Index i = 0; i < a.rows(); ++i) {
    const attest::Scalar peak = a.row(i).maxCoeff() + a.row(i).head(i + 1).maxCoeff();
    quotient(i, i) = std::exp(a(i, i) - peak) + a.row(i).dot(b.row(i)) + a.row(i).sum();
    times.row(i) = (a.row(i).array() - peak).exp();
    times.row(i) = (a.row(i).array() - peak).exp().matrix();
    times.row(i) /= times.row(i).sum();
    times.row(i) = a.row(i) / peak;
    times.row(i).tail(1).setConstant(s);
  }
  Vector peaks = a.rowwise().maxCoeff(), sums = a.rowwise().sum();
  flipped = (a.colwise() - peaks).array().exp().matrix();
  flipped.array().colwise() /= sums.array();
  flipped = a.array().exp().matrix();
  flipped = Matrix::Zero(1, 1);
  flipped = Matrix::Constant(1, 1, s);
  flipped.setZero();
  attest::Heads heads(1, a);
  heads.push_back(b);
  heads.emplace_back(a * b);
  const attest::Attention made{product, heads};
  return made.y + sum + difference + times + quotient + entrywise + flipped + transposed + scaled + left + q +
         k + block;
}

}  // namespace attest_worker

#include "kernels.inc"
