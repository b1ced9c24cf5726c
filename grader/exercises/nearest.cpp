#include "grader/exercises/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attest {
namespace {

// Levenshtein's edit distance, one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replace}));
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearest(std::string_view written, const std::vector<std::string>& known,
                                 std::size_t limit) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& name : known) {
    const std::size_t edits = distance(written, name);
    const bool contained = written.size() >= 3 && name.find(written) != std::string::npos;
    const std::size_t longer = std::max(written.size(), name.size());
    if (contained || 2 * edits <= longer) ranked.emplace_back(contained ? 0 : edits, name);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [edits, name] : ranked) {
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new && names.size() < limit && edits <= ranked.front().first + 1) names.push_back(name);
  }
  return names;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& known) {
  const std::vector<std::string> names = nearest(written, known);
  if (names.empty()) return {};
  std::string text = "; did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "'" + names[i] + "'";
  }
  return text + "?";
}

}  // namespace attest
