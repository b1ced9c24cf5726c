// What an implementation has answered, by what it was asked. Many properties ask about the same case: who answers the same call in the
// same way every time need not be called again for each of them.
#pragma once

#include "properties/candidate.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>

namespace attest {

class Answers {
 public:
  // Of all that is in a call, in 128 bits: two different ones with the same are less likely than a bit that flips in memory.
  struct Key {
    std::uint64_t first = 0, second = 0;
    bool operator==(const Key&) const = default;
  };
  // Nothing for questions that ask for more than the results of a plain call.
  static std::optional<Key> key_of(const Question& question);

  // From now on answers are used: until then it is not known whether the implementation answers as it did before.
  void trust() { trusted_ = true; }
  void forget();

  // nullptr: not known, or not trusted.
  const Reply* find(const Key& key) const;
  // Only what passed: a call that gave no answer is asked again.
  void remember(const Key& key, Reply reply);

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.first); }
  };
  std::unordered_map<Key, Reply, Hash> known_;
  std::deque<Key> order_;  // oldest first
  std::size_t bytes_ = 0;
  bool trusted_ = false;
};

}  // namespace attest
