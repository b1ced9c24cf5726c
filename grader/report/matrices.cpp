#include "grader/report/matrices.hpp"

#include "grader/report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace attest {
namespace {

constexpr Index kMostShown = 8;   // rows or columns of a table
constexpr Index kMostTyped = 36;  // numbers that anybody would type in
constexpr std::size_t kFew = 4;   // numbers that are read faster than words about them

struct Cell {
  std::string text;
  bool marked = false;
};

struct Line {
  std::string name;                    // of the tensor, on its first row only
  std::string row;                     // "row 0", or a remark
  std::vector<Cell> expected, actual;  // empty: a remark only
};

// A run of `size` indices around `centre`; all of them, unless two and more would be left out: the remark about one is as long as it is.
struct Window {
  Index first, last;
  Window(Index size, std::optional<Index> centre) {
    const Index shown = size <= kMostShown + 1 ? size : kMostShown;
    first = std::clamp<Index>(centre.value_or(0) - shown / 2, 0, size - shown);
    last = first + shown;
  }
};

// Where the evidence points inside one matrix of a tensor.
struct Spot {
  std::optional<Index> row, column;
};

// Where nothing else points, the first number that differs, to be seen whatever else is cut off.
Spot centre_of(const Eigen::Map<const Matrix>& expected, const Eigen::Map<const Matrix>& actual,
               const Spot& spot) {
  for (Index i = 0; i < expected.rows() && !(spot.row && spot.column); ++i) {
    if (spot.row.value_or(i) != i) continue;
    for (Index j = 0; j < expected.cols(); ++j) {
      if (number_text(expected(i, j)) != number_text(actual(i, j))) return {i, j};
    }
  }
  return spot;
}

void add_matrix(std::vector<Line>& lines, const std::string& name, const Eigen::Map<const Matrix>& expected,
                const Eigen::Map<const Matrix>& actual, const Spot& spot, const NumberPair& numbers) {
  const Spot centre = centre_of(expected, actual, spot);
  const Window rows(expected.rows(), centre.row), columns(expected.cols(), centre.column);
  for (Index i = rows.first; i < rows.last; ++i) {
    Line line;
    if (i == rows.first) line.name = name;
    line.row = fmt::format("row {}", i);
    for (Index j = columns.first; j < columns.last; ++j) {
      Cell should{number_text(expected(i, j)), false}, is{number_text(actual(i, j)), false};
      is.marked = should.text != is.text;
      if (spot.row == i && !spot.column && !is.marked &&
          expected(i, j) != actual(i, j)) {  // a whole row is in question
        const NumberPair close = telling_apart(expected(i, j), actual(i, j));
        should.text = close.expected, is.text = close.actual, is.marked = true;
      }
      if (spot.row == i && spot.column == j) {
        is.marked = true;  // even where four digits cannot show it
        if (should.text == is.text) {
          should.text = numbers.expected;
          is.text = numbers.actual;
        }
      }
      line.expected.push_back(std::move(should));
      line.actual.push_back(std::move(is));
    }
    lines.push_back(std::move(line));
  }
  if (rows.last - rows.first < expected.rows() || columns.last - columns.first < expected.cols()) {
    lines.push_back(
        {"",
         fmt::format("rows {}-{} of {}, columns {}-{} of {}; all of it: --format json", rows.first,
                     rows.last - 1, expected.rows(), columns.first, columns.last - 1, expected.cols()),
         {},
         {}});
  }
}

void add_tensor(std::vector<Line>& lines, const std::string& name, const Tensor& expected,
                const Tensor& actual, const Evidence& evidence) {
  const bool offends = name == evidence.tensor;
  const NumberPair numbers = telling_apart(evidence.expected, evidence.actual);
  const std::vector<Index> index = offends ? evidence.index : std::vector<Index>{};
  const auto at = [&](std::size_t axis) {
    return axis < index.size() ? std::optional(index[axis]) : std::nullopt;
  };
  if (expected.dims != actual.dims || expected.size() == 0) return;
  if (expected.dims.size() < 3) {
    const Index columns = expected.dims.empty() ? 1 : expected.dims.back();
    const Eigen::Map<const Matrix> should(expected.values.data(), expected.size() / columns, columns);
    const Eigen::Map<const Matrix> is(actual.values.data(), should.rows(), columns);
    const bool flat = expected.dims.size() < 2;
    add_matrix(lines, name, should, is, {flat ? std::optional<Index>(0) : at(0), flat ? at(0) : at(1)},
               numbers);
    return;
  }
  // Heads: the offending one; without one, the first that differs.
  const Index heads = expected.dims[0];
  const auto differs = [&](Index g) {  // visibly: beyond rounding
    for (Index i = 0; i < expected.slice(g).rows(); ++i) {
      for (Index j = 0; j < expected.slice(g).cols(); ++j) {
        if (number_text(expected.slice(g)(i, j)) != number_text(actual.slice(g)(i, j))) return true;
      }
    }
    return false;
  };
  Index shown = at(0).value_or(-1);
  if (!offends && evidence.index.size() == 1 && evidence.index[0] < heads)
    shown = evidence.index[0];  // a number of that head
  for (Index g = 0; g < heads && shown < 0; ++g) {
    if (differs(g)) shown = g;
  }
  shown = std::max<Index>(shown, 0);
  const std::string label = heads == 1 ? name : fmt::format("{} head {}", name, shown);
  add_matrix(lines, label, expected.slice(shown), actual.slice(shown), {at(1), at(2)}, numbers);
  if (heads > 1) {
    Index others = 0;
    for (Index g = 0; g < heads; ++g) others += g != shown && differs(g);
    if (others > 0) {
      lines.push_back({"",
                       heads == 2            ? std::string("the other head differs too")
                       : others == heads - 1 ? std::string("the other heads differ too")
                                             : fmt::format("{} of the other {} heads {} too", others,
                                                           heads - 1, others == 1 ? "differs" : "differ"),
                       {},
                       {}});
    }
  }
}

// Cells one below the other; `star` keeps a column free for marks.
std::string row_text(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths, bool star,
                     const Paint& paint) {
  std::string text;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const std::string shown = cells[j].text + (cells[j].marked ? "*" : "");
    const std::size_t space = widths[j] + (star ? 1 : 0) - shown.size();
    text += (cells[j].marked ? paint.red(shown) : shown) + std::string(space, ' ') + (star ? " " : "  ");
  }
  return text;
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string matrix_words(const Tensor& tensor, Dtype dtype) {
  const auto& values = tensor.values;
  if (std::all_of(values.begin(), values.end(), [](double v) { return v == 0; })) return "0";
  if (values.size() == 1) return number_text(values[0]);
  if (tensor.dims.size() == 2 && tensor.dims[0] == tensor.dims[1] &&
      tensor.matrix().isApprox(Matrix::Identity(tensor.dims[0], tensor.dims[1]), 0)) {
    return "identity";
  }
  if (values.size() > kFew &&
      std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; })) {
    return "all " + number_text(values[0]);
  }
  if (tensor.size() > kMostTyped) return {};
  // Every digit: these are for typing in.
  std::string text = "[";
  const Index columns = tensor.dims.back();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += static_cast<Index>(i) % columns == 0 ? "; " : ", ";
    text += values[i] == std::trunc(values[i]) ? number_text(values[i])
                                               : fmt::format("{}", shortest(values[i], dtype));
  }
  return text + "]";
}

}  // namespace

std::vector<std::string> comparison(const Evidence& evidence, const Paint& paint,
                                    const std::array<std::string_view, 2>& headings) {
  std::vector<Line> lines;
  std::vector<std::string> names;
  for (const auto& [name, pair] : evidence.compared) names.push_back(name);
  std::stable_partition(names.begin(), names.end(),
                        [&](const std::string& name) { return name == evidence.tensor; });
  for (const std::string& name : names) {
    const auto& [expected, actual] = evidence.compared.at(name);
    add_tensor(lines, name, expected, actual, evidence);
  }
  std::size_t name_width = 0, row_width = 0, columns = 0;
  for (const Line& line : lines) {
    name_width = std::max(name_width, line.name.size());
    if (!line.expected.empty()) row_width = std::max(row_width, line.row.size());
    columns = std::max(columns, line.expected.size());
  }
  if (columns == 0) return {};
  std::vector<std::size_t> left(columns, 0), right(columns, 0);
  for (const Line& line : lines) {
    for (std::size_t j = 0; j < line.expected.size(); ++j) {
      left[j] = std::max(left[j], line.expected[j].text.size());
      right[j] = std::max(right[j], line.actual[j].text.size());
    }
  }
  std::size_t left_width = 0;
  for (const std::size_t w : left) left_width += w + 2;
  const std::size_t gap_at = std::max<std::size_t>(left_width, headings[0].size() + 2) + 2;

  std::vector<std::string> text;
  text.push_back(
      fmt::format("{:{}}   {:{}}{}", "", name_width + 2 + row_width, headings[0], gap_at, headings[1]));
  for (const Line& line : lines) {
    if (line.expected.empty()) {
      text.push_back(fmt::format("{:{}}  ", "", name_width) + paint.faint(line.row));
      continue;
    }
    std::string row = fmt::format("{:{}}  {:{}}   ", line.name, name_width, line.row, row_width);
    const std::string should = row_text(line.expected, left, false, paint);
    row += should + std::string(gap_at - should.size(), ' ') + row_text(line.actual, right, true, paint);
    text.push_back(trimmed(row));
  }
  return text;
}

std::string extents_text(const std::vector<std::pair<std::string, Index>>& extents) {
  static const std::map<std::string_view, std::string_view> kWords = {{"T", "token"}, {"n_heads", "head"}};
  std::string text;
  for (const auto& [symbol, extent] : extents) {
    if (!text.empty()) text += ", ";
    const auto word = kWords.find(symbol);
    text += word == kWords.end() ? fmt::format("{} = {}", symbol, extent)
                                 : fmt::format("{} {}{}", extent, word->second, extent == 1 ? "" : "s");
  }
  return text;
}

std::string inputs_text(const Arguments& arguments, Dtype dtype) {
  std::vector<std::pair<std::string, std::string>> groups;  // words -> "w_q = w_k"
  std::string large;
  for (const Named& argument : arguments) {
    if (argument.integer) continue;  // the extents say it
    const std::string words = matrix_words(argument.tensor, dtype);
    if (words.empty()) {
      large += fmt::format("; {} is {}", argument.name, shape_text(argument.tensor.dims));
      continue;
    }
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == words; });
    if (same == groups.end())
      groups.emplace_back(words, argument.name);
    else
      same->second += " = " + argument.name;
  }
  std::string text;
  for (const auto& [words, names] : groups)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", names, words);
  if (!large.empty())
    text += (text.empty() ? large.substr(2) : large) + " (too large to print; --format json has it)";
  return text;
}

}  // namespace attest
