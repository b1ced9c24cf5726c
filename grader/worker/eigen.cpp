#include "grader/worker/eigen.hpp"

#include <fstream>
#include <iterator>

namespace attest {
namespace {

namespace fs = std::filesystem;

// An assertion's macro gets the text of its condition and nothing else, and what a condition is about goes by other names in each
// place. So the places are listed: a file of Eigen's, how its assertion begins, and how its shapes are called there. The numbers are
// those that runtime/misfit.hpp asks for.
struct Site {
  const char *file, *begin, *shapes;
};

constexpr Site kSites[] = {
    {"Product.h", "lhs.cols() == rhs.rows()",
     "Misfit::product, lhs.rows(), lhs.cols(), rhs.rows(), rhs.cols()"},
    {"CwiseBinaryOp.h", "aLhs.rows() == aRhs.rows()",
     "Misfit::entrywise, aLhs.rows(), aLhs.cols(), aRhs.rows(), aRhs.cols()"},
    {"AssignEvaluator.h", "dst.rows() == src.rows()",
     "Misfit::assign, dst.rows(), dst.cols(), src.rows(), src.cols()"},
    {"AssignEvaluator.h", "dst.rows() == dstRows",
     "Misfit::assign, dst.rows(), dst.cols(), dstRows, dstCols"},
    {"ProductEvaluators.h", "dst.rows() == src.rows()",
     "Misfit::assign, dst.rows(), dst.cols(), src.rows(), src.cols()"},
    {"Block.h", " (i>=0) && (",
     "BlockRows == 1 && BlockCols == XprType::ColsAtCompileTime ? Misfit::row : Misfit::column, i, "
     "xpr.rows(), xpr.cols()"},
    {"Block.h", "startRow >= 0 && BlockRows >= 0",
     "Misfit::block, startRow, startCol, Index(BlockRows), Index(BlockCols), xpr.rows(), xpr.cols()"},
    {"Block.h", "startRow >= 0 && blockRows >= 0",
     "Misfit::block, startRow, startCol, blockRows, blockCols, xpr.rows(), xpr.cols()"},
    {"DenseCoeffsBase.h", "row >= 0 && row < rows()", "Misfit::element, row, col, rows(), cols()"},
    {"DenseCoeffsBase.h", "index >= 0 && index < size()", "Misfit::entry, index, size()"},
    {"DenseBase.h", "rows == this->rows()", "Misfit::resize, rows, cols, this->rows(), this->cols()"},
    {"DenseBase.h", "newSize == this->size()", "Misfit::resize, newSize, 1, this->rows(), this->cols()"},
    {"PlainObjectBase.h", "   EIGEN_IMPLIES(RowsAtCompileTime!=Dynamic,rows==RowsAtCompileTime)",
     "Misfit::fixed, rows, cols, Index(RowsAtCompileTime), Index(ColsAtCompileTime)"},
    {"PlainObjectBase.h", "other.rows() == 1 || other.cols() == 1",
     "Misfit::vector, other.rows(), other.cols()"},
    {"CwiseNullaryOp.h", "rows >= 0\n",
     "Misfit::fixed, rows, cols, Index(RowsAtCompileTime), Index(ColsAtCompileTime)"},
    {"Dot.h", "size() == other.size()", "Misfit::dot, size(), other.size()"},
    {"Reshaped.h", "reshapeRows * reshapeCols",
     "Misfit::reshape, xpr.rows(), xpr.cols(), reshapeRows, reshapeCols"},
    {"Redux.h", "this->rows()>0 && this->cols()>0", "Misfit::empty, this->rows(), this->cols()"},
    {"CommaInitializer.h", "m_row<m_xpr.rows()", "Misfit::too_many, m_xpr.rows(), m_xpr.cols()"},
    {"CommaInitializer.h", "m_col<m_xpr.cols()", "Misfit::too_many, m_xpr.rows(), m_xpr.cols()"},
    {"CommaInitializer.h", "m_row+m_currentBlockRows<=m_xpr.rows()",
     "Misfit::too_many, m_xpr.rows(), m_xpr.cols()"},
    {"CommaInitializer.h", "(m_col + other.cols() <= m_xpr.cols())",
     "Misfit::too_many, m_xpr.rows(), m_xpr.cols()"},
    {"CommaInitializer.h", "((m_row+m_currentBlockRows) == m_xpr.rows()",
     "Misfit::too_few, m_xpr.rows(), m_xpr.cols()"},
};

void give_shapes(const fs::path& path, const Site& site) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string old = std::string("eigen_assert(") + site.begin;
  const std::string now = std::string("ATTEST_ASSERT((") + site.shapes + "), " + site.begin;
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size()))
    text.replace(at, old.size(), now);
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

void copy_eigen(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  fs::copy(from / "Eigen", to / "Eigen", fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  for (const Site& site : kSites) {
    const fs::path file = to / "Eigen" / "src" / "Core" / site.file;
    if (fs::exists(file)) give_shapes(file, site);
  }
}

std::string eigen_copy_version() {
  std::string text;
  for (const Site& site : kSites) text += std::string(site.file) + site.begin + site.shapes + '\n';
  return text;
}

}  // namespace attest
