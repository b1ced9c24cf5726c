// What was made lately, by what it was made from: the oldest is forgotten first, the latest is always there.
#pragma once

#include "properties/fingerprint.hpp"

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <utility>

namespace attest {

template <class Value>
class Lately {
 public:
  explicit Lately(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // nullptr: unknown, or forgotten.
  const Value* find(const Fingerprint& key) const {
    const auto it = known_.find(key);
    return it == known_.end() ? nullptr : &it->second.value;
  }
  // `bytes`: of memory, about. Nothing changes where the key is known.
  void remember(const Fingerprint& key, Value value, std::size_t bytes) {
    if (!known_.try_emplace(key, std::move(value), bytes).second) return;
    order_.push_back(key);
    used_ += bytes;
    while (used_ > most_bytes_ && order_.size() > 1) {
      const auto oldest = known_.find(order_.front());
      used_ -= oldest->second.bytes;
      known_.erase(oldest);
      order_.pop_front();
    }
  }
  void forget() {
    known_.clear();
    order_.clear();
    used_ = 0;
  }

 private:
  struct Entry {
    Entry(Value v, std::size_t n) : value(std::move(v)), bytes(n) {}
    Value value;
    std::size_t bytes;
  };
  std::unordered_map<Fingerprint, Entry, Fingerprint::Hash> known_;
  std::deque<Fingerprint> order_;  // oldest first
  std::size_t most_bytes_, used_ = 0;
};

}  // namespace attest
