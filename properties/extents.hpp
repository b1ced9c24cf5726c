// Lengths by the names of their symbols: {"T": 7, "d_model": 6}. Half a dozen at most and made for every call, so a sorted vector: a
// map would allocate for each of them.
#pragma once

#include "reference/attention.hpp"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

class Extents {
 public:
  using value_type = std::pair<std::string, Index>;

  static constexpr std::size_t kUsual = 6;  // room for what is added to a copy, too

  Extents() = default;
  Extents(const Extents& other) {
    if (other.empty()) return;
    all_.reserve(std::max(kUsual, other.size()));
    all_ = other.all_;
  }
  Extents(Extents&&) = default;
  Extents& operator=(const Extents&) = default;
  Extents& operator=(Extents&&) = default;
  Extents(std::initializer_list<value_type> all) {
    for (const auto& [name, extent] : all) emplace(name, extent);
  }

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }

  auto find(std::string_view name) const {
    const auto it = lower(name);
    return it != all_.end() && it->first == name ? it : all_.end();
  }
  bool contains(std::string_view name) const { return find(name) != end(); }
  Index at(std::string_view name) const {
    const auto it = find(name);
    if (it == end()) throw std::out_of_range("no extent is called " + std::string(name));
    return it->second;
  }
  // Nothing changes where there is one already.
  void emplace(std::string_view name, Index extent) { place(name, extent); }
  Index& operator[](std::string_view name) { return place(name, 0); }

  bool operator==(const Extents&) const = default;

 private:
  std::vector<value_type>::const_iterator lower(std::string_view name) const {
    return std::lower_bound(all_.begin(), all_.end(), name,
                            [](const value_type& one, std::string_view other) { return one.first < other; });
  }
  Index& place(std::string_view name, Index extent) {
    if (all_.empty()) all_.reserve(kUsual);
    auto it = all_.begin() + (lower(name) - all_.begin());
    if (it == all_.end() || it->first != name) it = all_.insert(it, {std::string(name), extent});
    return it->second;
  }

  std::vector<value_type> all_;  // sorted by name
};

}  // namespace attest
