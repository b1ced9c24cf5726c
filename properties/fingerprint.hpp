// 128 bits that stand for all that was added: two different things with the same are less likely than a bit that flips in memory. For
// numbers and names of our own; nobody who may choose them gains by a collision.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace attest {

class Fingerprint {
 public:
  // Two independent multiplicative hashes, word by word.
  void add(std::uint64_t word) {
    first_ = (std::rotl(first_, 29) ^ word) * 0x9e3779b97f4a7c15ULL;
    second_ = (std::rotl(second_, 23) + word) * 0xd1342543de82ef95ULL;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
      add(word);
    }
  }

  void add(const Fingerprint& other) {
    add(other.first_);
    add(other.second_);
  }

  bool operator==(const Fingerprint&) const = default;
  struct Hash {
    std::size_t operator()(const Fingerprint& print) const {
      return static_cast<std::size_t>(print.first_ ^ print.first_ >> 32);
    }
  };

 private:
  std::uint64_t first_ = 0x243f6a8885a308d3ULL, second_ = 0x13198a2e03707344ULL;  // digits of pi
};

}  // namespace attest
