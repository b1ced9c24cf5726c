// Tables of exercises.toml, read so that a mistake is told with its place and what was expected there.
#pragma once

#include "grader/exercises/ladder.hpp"
#include "grader/exercises/nearest.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace attest {

// "exercises.toml:12:8: what was expected"
[[noreturn]] inline void fail(const toml::source_region& where, const std::string& what) {
  const std::string file =
      where.path ? std::filesystem::path(*where.path).filename().string() : std::string("exercises.toml");
  throw LadderError(fmt::format("{}:{}:{}: {}", file, where.begin.line, where.begin.column, what));
}

// One table of the file, with errors that say where. Keys nobody asked for are errors too: a misspelt key must not be
// silently ignored.
class Row {
 public:
  Row(const toml::table& table, std::string what) : table_(table), what_(std::move(what)) {}

  std::string text(std::string_view key) {
    const toml::node& node = required(key, "a text in quotes");
    if (const auto value = node.value<std::string>(); value && node.is_string() && !value->empty())
      return *value;
    fail(node.source(), fmt::format("{}: '{}' must be a text in quotes that is not empty", what_, key));
  }
  std::optional<std::string> optional_text(std::string_view key) {
    if (!table_.contains(key)) return std::nullopt;
    return text(key);
  }
  bool flag(std::string_view key) {
    seen_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    if (node == nullptr) return false;
    if (const auto value = node->value<bool>(); value && node->is_boolean()) return *value;
    fail(node->source(), fmt::format("{}: '{}' must be true or false", what_, key));
  }
  double number(std::string_view key) {
    const toml::node& node = required(key, "a number");
    const auto value = node.value<double>();
    if (!value || !node.is_number() || !std::isfinite(*value) || *value < 0) {
      fail(node.source(), fmt::format("{}: '{}' must be a number that is not negative", what_, key));
    }
    return *value;
  }
  std::optional<std::vector<std::string>> texts(std::string_view key) {
    seen_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    if (node == nullptr) return std::nullopt;
    const toml::array* array = node->as_array();
    if (array == nullptr) fail(node->source(), fmt::format("{}: '{}' must be a list of texts", what_, key));
    std::vector<std::string> values;
    for (const toml::node& element : *array) {
      if (!element.is_string()) fail(element.source(), fmt::format("{}: '{}' holds texts only", what_, key));
      values.push_back(*element.value<std::string>());
    }
    return values;
  }
  // The tables of a list ([[exercise.property]], or inline ones).
  std::vector<const toml::table*> tables(std::string_view key, bool at_least_one) {
    seen_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    std::vector<const toml::table*> rows;
    if (node != nullptr) {
      const toml::array* array = node->as_array();
      if (array == nullptr)
        fail(node->source(), fmt::format("{}: '{}' must be a list of tables", what_, key));
      for (const toml::node& element : *array) {
        if (!element.is_table())
          fail(element.source(), fmt::format("{}: '{}' holds tables only", what_, key));
        rows.push_back(element.as_table());
      }
    }
    if (rows.empty() && at_least_one) {
      fail(table_.source(), fmt::format("{}: '{}' is missing; expected at least one table", what_, key));
    }
    return rows;
  }
  // To be called when every key has been asked for.
  void no_other_keys() const {
    const std::vector<std::string> known(seen_.begin(), seen_.end());
    for (const auto& [key, value] : table_) {
      if (!seen_.contains(std::string(key.str()))) {
        fail(value.source(), fmt::format("{}: nothing reads the key '{}'{}", what_, key.str(),
                                         did_you_mean(key.str(), known)));
      }
    }
  }
  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::source_region& where() const { return table_.source(); }
  const toml::source_region& where(std::string_view key) const { return table_.get(key)->source(); }
  const std::string& what() const { return what_; }

 private:
  const toml::node& required(std::string_view key, std::string_view expected) {
    seen_.insert(std::string(key));
    const toml::node* node = table_.get(key);
    if (node == nullptr)
      fail(table_.source(), fmt::format("{}: '{}' is missing; expected {}", what_, key, expected));
    return *node;
  }

  const toml::table& table_;
  std::string what_;
  std::set<std::string> seen_;
};

// Every one of `dims` must be a symbol of the exercise.
void require_symbols(const Row& row, std::string_view key, const std::vector<std::string>& dims,
                     const Spec& spec);

// One [[exercise.signature]] of the exercise that `spec` describes.
Signature read_signature(Row& row, const Spec& spec);

}  // namespace attest
