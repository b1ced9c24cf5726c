// What Eigen's assertions say when shapes do not fit, with the shapes. Part of every submission's process, and of a test.
#pragma once

#include <cstddef>
#include <string>

namespace attest_worker {

// Each with the numbers that it is told by, in order.
enum class Misfit {
  product,    // rows, columns of the left; of the right
  entrywise,  // the same
  assign,     // rows, columns of what is written; of what is assigned
  row,        // number; rows, columns of the matrix
  column,     // the same
  block,      // first row, first column, rows, columns of the block; rows, columns of the matrix
  element,    // row, column; rows, columns of the matrix
  entry,      // number; how many there are
  resize,     // rows, columns wanted; rows, columns that there are. Of something that cannot change its shape
  fixed,      // rows, columns wanted; those that the type says, -1 where it leaves them open
  vector,     // rows, columns of what should be one row or one column
  dot,        // lengths of both
  reshape,    // rows, columns of the matrix; rows, columns wanted
  empty,      // rows, columns of a matrix whose largest entry, say, is asked for
  too_few,    // rows, columns of the matrix that << fills
  too_many,   // the same
};

inline std::string misfit_text(Misfit kind, const std::ptrdiff_t (&n)[6]) {
  const auto number = [](std::ptrdiff_t i) { return i == -1 ? std::string("any") : std::to_string(i); };
  const auto shape = [](std::ptrdiff_t rows, std::ptrdiff_t columns) {
    return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
  };
  const auto range = [](std::ptrdiff_t count) {
    return count > 1 ? "0 to " + std::to_string(count - 1) : std::string(count == 1 ? "only 0" : "none");
  };
  const std::string first = shape(n[0], n[1]), second = shape(n[2], n[3]);
  switch (kind) {
    case Misfit::product:
      return "product of a " + first + " and a " + second +
             " matrix: the left one must have as many columns as the right one has rows";
    case Misfit::entrywise:
      return "a " + first + " and a " + second +
             " matrix are combined entry by entry (+, -, cwiseProduct ...): both must have the same shape";
    case Misfit::assign:
      return "a " + second + " matrix is assigned to a " + first +
             " one that keeps its shape (a block, a Map, or with += and -=): both must have the same shape";
    case Misfit::row:
      return "row " + std::to_string(n[0]) + " of a " + shape(n[1], n[2]) + " matrix, whose rows are " +
             range(n[1]);
    case Misfit::column:
      return "column " + std::to_string(n[0]) + " of a " + shape(n[1], n[2]) + " matrix, whose columns are " +
             range(n[2]);
    case Misfit::block:
      return "a block of " + second + " that starts at " + first + " of a " + shape(n[4], n[5]) +
             (n[2] < 0 || n[3] < 0 ? " matrix: a negative length" : " matrix reaches out of it");
    case Misfit::element:
      return "element " + first + " of a " + second + " matrix, whose rows are " + range(n[2]) +
             " and columns " + range(n[3]);
    case Misfit::entry:
      return "element " + std::to_string(n[0]) + " of a vector of " + std::to_string(n[1]) +
             ", whose elements are " + range(n[1]);
    case Misfit::resize:
      return "a " + first + " matrix does not fit into a " + second +
             " block, row or Map: both must have the same shape";
    case Misfit::fixed:
      return n[0] < 0 || n[1] < 0
                 ? "a matrix of " + first + ": a negative length"
                 : "a " + first + " matrix does not fit into a variable that by its type is (" +
                       number(n[2]) + ", " + number(n[3]) + ")";
    case Misfit::vector:
      return "a " + first + " matrix where a vector is needed: it must have one row or one column";
    case Misfit::dot:
      return "dot product of vectors of " + std::to_string(n[0]) + " and " + std::to_string(n[1]) +
             " elements: both must have the same length";
    case Misfit::reshape:
      return "a " + first + " matrix cannot be reshaped to " + second + ": the number of elements must stay";
    case Misfit::empty:
      return "the largest or smallest entry of a " + first + " matrix, which has no entries";
    case Misfit::too_few:
      return "too few numbers behind << for a " + first + " matrix";
    case Misfit::too_many:
      return "too many numbers behind << for a " + first + " matrix";
  }
  return "";
}

}  // namespace attest_worker
