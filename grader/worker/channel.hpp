// The grader's end of the two pipes and, where the kernel has sealed memory files, of the two shared areas (wire.hpp).
#pragma once

#include "grader/sandbox/sandbox.hpp"
#include "grader/worker/codec.hpp"
#include "grader/worker/wire.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace attest {

// A memory file that neither side can resize, mapped here. A worker that could shrink it would kill us with SIGBUS.
class SharedArea {
 public:
  enum class Writer { here, there };
  // Empty where the kernel cannot do it. `here`: the worker can only ever read it, also through a new mapping or descriptor.
  static std::optional<SharedArea> make(const char* name, std::size_t bytes, Writer writer);
  SharedArea(SharedArea&& other) noexcept;
  SharedArea& operator=(SharedArea&& other) noexcept;
  ~SharedArea();
  int descriptor() const { return file_.get(); }
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  SharedArea(Descriptor file, std::byte* data, std::size_t size);
  Descriptor file_;
  std::byte* data_;
  std::size_t size_;
};

// Empties it and makes room for a payload of so many bytes. The memory of an earlier one is used again, unless it is unusually much.
inline constexpr std::size_t kUsualPayload = 8u << 20;
void make_room(Bytes& payload, std::size_t bytes);

class Channel {
 public:
  explicit Channel(bool shared_memory);

  // {ours, the worker's}: what spawn() hands over.
  std::vector<std::pair<int, int>> child_descriptors() const;
  void child_started();  // closes the worker's ends here

  bool shared_memory() const { return request_area_ && reply_area_; }

  // Starts sending a request; questions are in `payload`. What does not go at once goes with pump().
  void send(std::uint64_t nonce, std::uint64_t count, const Bytes& payload);
  bool sending() const { return sent_ < outbox_.size(); }
  void pump();

  int to_poll_write() const { return request_.write.get(); }
  int to_poll_read() const { return reply_.read.get(); }

  // Reads what is there, without waiting. False once the worker has closed its end.
  bool receive();
  // The next complete message, if there is one, in `received`, whose memory is used again. Throws Breach for what cannot be one.
  struct Received {
    wire::Message message;
    Bytes payload;  // of the pipe; for `done`, a copy of the reply area
  };
  bool next(Received& received);
  // A copy of the answers that the reply area holds by its own account, whose number is put into `count`: a hint.
  Bytes salvage(std::uint64_t* count) const;
  std::uint64_t answers_hint() const;  // just the number

 private:
  std::optional<SharedArea> request_area_, reply_area_;
  Pipe request_, reply_;
  Bytes outbox_, inbox_;
  std::size_t sent_ = 0;
};

}  // namespace attest
