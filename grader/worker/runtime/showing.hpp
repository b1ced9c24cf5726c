// Arrays as bytes (wire.hpp), and what a submission shows with attest::trace() as such. Part of runtime.cpp.
#pragma once

#include "prelude.hpp"
#include "wire.hpp"

#include <cstring>

namespace attest_worker {

namespace wire = attest::wire;

inline void append(std::vector<std::byte>& to, const void* data, std::size_t n) {
  const auto* bytes = static_cast<const std::byte*>(data);
  to.insert(to.end(), bytes, bytes + n);
  to.resize(wire::padded(to.size()));
}

inline void append_array(std::vector<std::byte>& to, const attest::Heads& heads, bool stacked) {
  wire::ArrayHeader header;
  header.element = sizeof(attest::Scalar) == 8 ? wire::Element::float64 : wire::Element::float32;
  std::int64_t* dim = header.dims;
  if (stacked) *dim++ = static_cast<std::int64_t>(heads.size());
  *dim++ = heads.empty() ? 0 : heads[0].rows();
  *dim++ = heads.empty() ? 0 : heads[0].cols();
  header.rank = dim - header.dims;
  std::size_t elements = 0;
  for (const attest::Matrix& head : heads) elements += static_cast<std::size_t>(head.size());
  header.bytes = static_cast<std::int64_t>(elements * sizeof(attest::Scalar));
  append(to, &header, sizeof header);
  for (const attest::Matrix& head : heads) {
    const auto* bytes = reinterpret_cast<const std::byte*>(head.data());
    to.insert(to.end(), bytes, bytes + static_cast<std::size_t>(head.size()) * sizeof(attest::Scalar));
  }
  to.resize(wire::padded(to.size()));
}

// What the submission shows during one call, ready to be sent; no more than fits.
class Shown final : public attest::Listener {
 public:
  void hear(const char* name, const attest::Heads& values, bool is_stack, int line,
            const char* function) override {
    std::size_t elements = 0;
    for (const attest::Matrix& matrix : values) {
      if (matrix.rows() != values[0].rows() || matrix.cols() != values[0].cols()) return;
      elements += static_cast<std::size_t>(matrix.size());
    }
    if (elements == 0 || is_full_) return;
    const std::string words[] = {std::string(name, strnlen(name, wire::kMaxSnapshotName)),
                                 std::string(function, strnlen(function, wire::kMaxSnapshotName))};
    is_full_ = count == wire::kMaxSnapshots || bytes.size() + 8 * elements + 512 > wire::kMaxSnapshotBytes;
    if (is_full_) return;
    wire::SnapshotHeader header;
    header.line = line;
    header.name = static_cast<std::int64_t>(words[0].size());
    header.function = static_cast<std::int64_t>(words[1].size());
    append(bytes, &header, sizeof header);
    for (const std::string& word : words) append(bytes, word.data(), word.size());
    append_array(bytes, values, is_stack);
    ++count;
  }

  std::vector<std::byte> bytes;
  std::int64_t count = 0;

 private:
  bool is_full_ = false;
};

}  // namespace attest_worker
