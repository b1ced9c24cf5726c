// Questions as bytes, and bytes as replies. What comes back was written by a process that may be hostile: every length is
// checked before it is used, and nothing is believed twice.
#pragma once

#include "grader/worker/wire.hpp"
#include "properties/candidate.hpp"
#include "properties/spec.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace attest {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;

// The worker broke the protocol. what() is the fact, for the report.
struct Breach : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads a payload from front to back; throws Breach where it ends too early.
class Reader {
 public:
  explicit Reader(View view) : view_(view) {}
  std::size_t left() const { return view_.size() - at_; }
  View take(std::uint64_t bytes, const char* what);
  template <class T>
  T take(const char* what);
  std::string text(std::int64_t length, const char* what);  // and its padding

 private:
  View view_;
  std::size_t at_ = 0;
};

std::size_t encoded_size(const Question& question, Dtype dtype);
// Appends the question.
void encode(const Question& question, Dtype dtype, Bytes& to);

// An answer as it came: the fault's texts are not cleaned yet.
struct Answered {
  std::size_t index = 0;
  wire::Status status = wire::Status::answered;
  Reply reply;
};

// Reads the next answer. `questions` are those of the request.
Answered decode_answer(Reader& reader, std::span<const Question> questions, const Spec& spec);

struct Hello {
  wire::Status status = wire::Status::answered;
  int entry = -1;
  Fault fault;
  std::vector<std::pair<std::string, std::string>> facts;
  std::string fact(std::string_view key) const;  // the first of that name, or empty
};
Hello decode_hello(View payload);

}  // namespace attest
