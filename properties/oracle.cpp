#include "properties/oracle.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace attest {
namespace {

std::array<const Matrix*, 5> tensors(const Inputs<double>& in) {
  return {&in.x, &in.w_q, &in.w_k, &in.w_v, &in.w_o};
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(const Inputs<double>& in) {
  auto hash = static_cast<std::uint64_t>(in.n_heads);
  for (const Matrix* m : tensors(in)) {
    hash = mixed(mixed(hash, static_cast<std::uint64_t>(m->rows())), static_cast<std::uint64_t>(m->cols()));
    for (Index k = 0; k < m->size(); ++k) hash = mixed(hash, std::bit_cast<std::uint64_t>(m->data()[k]));
  }
  return hash;
}

// To the last bit: nothing else may be taken for them.
bool same(const Inputs<double>& a, const Inputs<double>& b) {
  if (a.n_heads != b.n_heads) return false;
  const auto left = tensors(a), right = tensors(b);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i]->rows() != right[i]->rows() || left[i]->cols() != right[i]->cols()) return false;
    const auto bytes = static_cast<std::size_t>(left[i]->size()) * sizeof(double);
    if (bytes > 0 && std::memcmp(left[i]->data(), right[i]->data(), bytes) != 0) return false;
  }
  return true;
}

std::size_t bytes_of(const Inputs<double>& in, const Expected& e) {
  std::size_t numbers = 0;
  const auto count = [&](const Heads& heads) {
    for (const auto& m : heads) numbers += static_cast<std::size_t>(m.size());
  };
  const Trace<double>& t = e.trace;
  for (const auto* m : {&t.q, &t.k, &t.v, &t.merged, &t.y, &e.row_above, &e.row_below, &e.y_error})
    numbers += static_cast<std::size_t>(m->size());
  for (const auto* h : {&t.q_heads, &t.k_heads, &t.v_heads, &t.scores, &t.scaled, &t.masked, &t.weights,
                        &t.heads, &e.score_error, &e.weight_error, &e.head_error}) {
    count(*h);
  }
  for (const Matrix* m : tensors(in)) numbers += static_cast<std::size_t>(m->size());
  return numbers * sizeof(double) + 2048;  // and some for the many small allocations
}

class Memory {
 public:
  std::shared_ptr<const Expected> recall(const Inputs<double>& in, Dtype dtype, Care care) {
    const std::uint64_t hash =
        mixed(hash_of(in), 2 * static_cast<std::uint64_t>(dtype) + static_cast<std::uint64_t>(care));
    const auto [begin, end] = known_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
      const Entry& entry = it->second;
      if (entry.dtype == dtype && entry.care == care && same(entry.in, in)) return entry.expected;
    }
    auto expected = std::make_shared<const Expected>(expect(in, dtype, care));
    used_ += bytes_of(in, *expected);
    while (used_ > limit_ && !order_.empty()) {
      const auto oldest = known_.find(order_.front());
      used_ -= bytes_of(oldest->second.in, *oldest->second.expected);
      known_.erase(oldest);
      order_.pop_front();
    }
    order_.push_back(hash);
    known_.emplace(hash, Entry{in, dtype, care, expected});
    return expected;
  }

  void limit(std::size_t bytes) { limit_ = bytes; }

 private:
  struct Entry {
    Inputs<double> in;
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

void set_oracle_memory(std::size_t bytes) { memory().limit(bytes); }

}  // namespace attest
