#include "properties/answers.hpp"

#include <bit>
#include <utility>

namespace attest {
namespace {

// All answers of an examination with the default plan are about half of it.
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

std::size_t bytes_of(const Reply& reply) {
  std::size_t bytes = sizeof(Reply) + 64;
  for (const Named& result : reply.results)
    bytes += sizeof(Named) + (result.tensor.values.size() + result.tensor.dims.size()) * sizeof(double);
  return bytes;
}

// Two independent multiplicative hashes, word by word.
class Hasher {
 public:
  void add(std::uint64_t word) {
    key_.first = (std::rotl(key_.first, 29) ^ word) * 0x9e3779b97f4a7c15ULL;
    key_.second = (std::rotl(key_.second, 23) + word) * 0xd1342543de82ef95ULL;
  }
  Answers::Key key() const { return {key_.first ^ (key_.first >> 32), key_.second ^ (key_.second >> 32)}; }

 private:
  Answers::Key key_{0x243f6a8885a308d3ULL, 0x13198a2e03707344ULL};  // digits of pi
};

}  // namespace

std::optional<Answers::Key> Answers::key_of(const Question& question) {
  if (question.fresh || question.echo || question.echo_previous || question.trace ||
      question.order != MemoryOrder::c)
    return std::nullopt;
  Hasher hasher;
  hasher.add(question.call);
  for (const Named& argument : question.arguments) {  // their names are the function's
    hasher.add(argument.tensor.dims.size());
    for (const Index dim : argument.tensor.dims) hasher.add(static_cast<std::uint64_t>(dim));
    for (const double value : argument.tensor.values) hasher.add(std::bit_cast<std::uint64_t>(value));
  }
  return hasher.key();
}

void Answers::forget() {
  known_.clear();
  order_.clear();
  bytes_ = 0;
}

const Reply* Answers::find(const Key& key) const {
  if (!trusted_) return nullptr;
  const auto it = known_.find(key);
  return it == known_.end() ? nullptr : &it->second;
}

void Answers::remember(const Key& key, Reply reply) {
  if (reply.outcome != Outcome::passed) return;
  const std::size_t bytes = bytes_of(reply);
  if (!known_.emplace(key, std::move(reply)).second) return;
  order_.push_back(key);
  bytes_ += bytes;
  while (bytes_ > kMostBytes) {
    const auto oldest = known_.find(order_.front());
    bytes_ -= bytes_of(oldest->second);
    known_.erase(oldest);
    order_.pop_front();
  }
}

}  // namespace attest
