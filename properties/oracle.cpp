#include "properties/oracle.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace attest {
namespace {

// Inputs, wherever they lie.
struct Seen {
  std::array<MatrixView, 5> tensors;
  Index n_heads;
};

MatrixView view(const Matrix& m) { return {m.data(), m.rows(), m.cols()}; }

Seen seen(const Inputs<double>& in) {
  return {{view(in.x), view(in.w_q), view(in.w_k), view(in.w_v), view(in.w_o)}, in.n_heads};
}

Seen seen(const Arguments& arguments) {
  const Tensor* w_o = find(arguments, "w_o");
  return {{get(arguments, "x").matrix(), get(arguments, "w_q").matrix(), get(arguments, "w_k").matrix(),
           get(arguments, "w_v").matrix(), w_o != nullptr ? w_o->matrix() : MatrixView(nullptr, 0, 0)},
          get_integer(arguments, "n_heads", 1)};
}

Inputs<double> inputs(const Inputs<double>& in) { return in; }
Inputs<double> inputs(const Arguments& arguments) { return attention_inputs(arguments); }

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(const Seen& in) {
  auto hash = static_cast<std::uint64_t>(in.n_heads);
  for (const MatrixView& m : in.tensors) {
    hash = mixed(mixed(hash, static_cast<std::uint64_t>(m.rows())), static_cast<std::uint64_t>(m.cols()));
    for (Index k = 0; k < m.size(); ++k) hash = mixed(hash, std::bit_cast<std::uint64_t>(m.data()[k]));
  }
  return hash;
}

// To the last bit: nothing else may be taken for them.
bool same(const Seen& a, const Seen& b) {
  if (a.n_heads != b.n_heads) return false;
  for (std::size_t i = 0; i < a.tensors.size(); ++i) {
    const MatrixView &left = a.tensors[i], &right = b.tensors[i];
    if (left.rows() != right.rows() || left.cols() != right.cols()) return false;
    const auto bytes = static_cast<std::size_t>(left.size()) * sizeof(double);
    if (bytes > 0 && std::memcmp(left.data(), right.data(), bytes) != 0) return false;
  }
  return true;
}

class Memory {
 public:
  template <class From>
  std::shared_ptr<const Expected> recall(const From& from, Dtype dtype, Care care) {
    const Seen in = seen(from);
    const std::uint64_t hash =
        mixed(hash_of(in), 2 * static_cast<std::uint64_t>(dtype) + static_cast<std::uint64_t>(care));
    const auto [begin, end] = known_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
      const Entry& entry = it->second;
      if (entry.dtype == dtype && entry.care == care && same(seen(entry.expected->in), in))
        return entry.expected;
    }
    auto expected = std::make_shared<const Expected>(expect(inputs(from), dtype, care));
    used_ += expected->bytes();
    while (used_ > limit_ && !order_.empty()) {
      const auto oldest = known_.find(order_.front());
      used_ -= oldest->second.expected->bytes();
      known_.erase(oldest);
      order_.pop_front();
    }
    order_.push_back(hash);
    known_.emplace(hash, Entry{dtype, care, expected});
    return expected;
  }

  void limit(std::size_t bytes) { limit_ = bytes; }

 private:
  struct Entry {
    Dtype dtype;
    Care care;
    std::shared_ptr<const Expected> expected;
  };
  std::unordered_multimap<std::uint64_t, Entry> known_;
  std::deque<std::uint64_t> order_;  // the hashes, oldest first
  std::size_t used_ = 0, limit_ = std::size_t{48} << 20;
};

Memory& memory() {
  thread_local Memory of_this_thread;
  return of_this_thread;
}

}  // namespace

std::shared_ptr<const Expected> recall(const Inputs<double>& in, const Subject& subject) {
  return memory().recall(in, subject.dtype, subject.care);
}

std::shared_ptr<const Expected> recall(const Question& question, const Subject& subject) {
  return memory().recall(question.arguments, subject.dtype, subject.care);
}

void set_oracle_memory(std::size_t bytes) { memory().limit(bytes); }

}  // namespace attest
