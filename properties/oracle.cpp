#include "properties/oracle.hpp"

#include <deque>
#include <string>
#include <unordered_map>

namespace attest {
namespace {

void append(std::string& key, const Matrix& m) {
  const Index shape[] = {m.rows(), m.cols()};
  key.append(reinterpret_cast<const char*>(shape), sizeof shape);
  key.append(reinterpret_cast<const char*>(m.data()), static_cast<std::size_t>(m.size()) * sizeof(double));
}

// The inputs to the last bit: nothing else may be taken for them.
std::string key_of(const Inputs<double>& in, Dtype dtype) {
  std::string key(1, dtype == Dtype::float32 ? 'f' : 'd');
  for (const Matrix* m : {&in.x, &in.w_q, &in.w_k, &in.w_v, &in.w_o}) append(key, *m);
  return key + std::to_string(in.n_heads);
}

std::size_t bytes_of(const Expected& e) {
  std::size_t numbers = 0;
  const auto count = [&](const HeadsOf<Wide>& heads) {
    for (const auto& m : heads) numbers += static_cast<std::size_t>(m.size());
  };
  const Trace<Wide>& t = e.trace;
  for (const auto* m : {&t.q, &t.k, &t.v, &t.merged, &t.y, &e.row_above, &e.row_below, &e.y_error})
    numbers += static_cast<std::size_t>(m->size());
  for (const auto* h : {&t.q_heads, &t.k_heads, &t.v_heads, &t.scores, &t.scaled, &t.masked, &t.weights,
                        &t.heads, &e.score_error, &e.weight_error, &e.head_error}) {
    count(*h);
  }
  return numbers * sizeof(Wide) + 2048;  // and some for the many small allocations
}

class Memory {
 public:
  std::shared_ptr<const Expected> recall(const Inputs<double>& in, Dtype dtype) {
    std::string key = key_of(in, dtype);
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    auto expected = std::make_shared<const Expected>(expect(in, dtype));
    used_ += bytes_of(*expected) + key.size();
    while (used_ > limit_ && !order_.empty()) {
      const auto oldest = known_.find(order_.front());
      used_ -= bytes_of(*oldest->second) + order_.front().size();
      known_.erase(oldest);
      order_.pop_front();
    }
    order_.push_back(key);
    known_.emplace(std::move(key), expected);
    return expected;
  }

  void limit(std::size_t bytes) { limit_ = bytes; }

 private:
  std::unordered_map<std::string, std::shared_ptr<const Expected>> known_;
  std::deque<std::string> order_;
  std::size_t used_ = 0, limit_ = std::size_t{48} << 20;
};

Memory& memory() {
  thread_local Memory of_this_thread;
  return of_this_thread;
}

}  // namespace

std::shared_ptr<const Expected> recall(const Inputs<double>& in, Dtype dtype) {
  return memory().recall(in, dtype);
}

void set_oracle_memory(std::size_t bytes) { memory().limit(bytes); }

}  // namespace attest
