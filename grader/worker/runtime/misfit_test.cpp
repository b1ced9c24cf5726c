#include "grader/worker/runtime/misfit.hpp"

#include <gtest/gtest.h>

namespace attest_worker {
namespace {

TEST(Misfit, SaysTheShapesThatDoNotFit) {
  EXPECT_EQ(misfit_text(Misfit::product, {4, 3, 4, 3}),
            "product of a (4, 3) and a (4, 3) matrix: the left one must have as many columns as the right "
            "one has rows");
  EXPECT_EQ(misfit_text(Misfit::entrywise, {2, 3, 3, 2}),
            "a (2, 3) and a (3, 2) matrix are combined entry by entry (+, -, cwiseProduct ...): both must "
            "have the same "
            "shape");
  EXPECT_EQ(misfit_text(Misfit::row, {5, 4, 3}), "row 5 of a (4, 3) matrix, whose rows are 0 to 3");
  EXPECT_EQ(misfit_text(Misfit::column, {1, 4, 1}), "column 1 of a (4, 1) matrix, whose columns are only 0");
  EXPECT_EQ(misfit_text(Misfit::block, {0, 2, 2, 2, 3, 3}),
            "a block of (2, 2) that starts at (0, 2) of a (3, 3) matrix reaches out of it");
  EXPECT_EQ(misfit_text(Misfit::block, {0, 0, 2, -1, 3, 3}),
            "a block of (2, -1) that starts at (0, 0) of a (3, 3) matrix: a negative length");
  EXPECT_EQ(misfit_text(Misfit::element, {3, 0, 3, 0}),
            "element (3, 0) of a (3, 0) matrix, whose rows are 0 to 2 and columns none");
  EXPECT_EQ(misfit_text(Misfit::entry, {3, 3}), "element 3 of a vector of 3, whose elements are 0 to 2");
  EXPECT_EQ(misfit_text(Misfit::fixed, {4, 2, 3, -1}),
            "a (4, 2) matrix does not fit into a variable that by its type is (3, any)");
  EXPECT_EQ(misfit_text(Misfit::fixed, {-1, 2, -1, -1}), "a matrix of (-1, 2): a negative length");
}

}  // namespace
}  // namespace attest_worker
