#include "grader/worker/channel.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>

namespace attest {
namespace {

// 64 questions of the usual size (T = 16, d_model = 16) are 0.8 MB, one of the largest (T = 129, d_model = 64) 0.2 MB, its
// answer with 8 heads 1.2 MB. What is larger goes through the pipe. Untouched pages cost nothing.
constexpr std::size_t kAreaBytes = kUsualPayload;

#ifndef F_SEAL_FUTURE_WRITE
constexpr int F_SEAL_FUTURE_WRITE = 0x0010;
#endif

// Writing to a worker that has just died must be an error code, not the end of the grader.
void ignore_broken_pipes() {
  static std::once_flag once;
  std::call_once(once, [] { signal(SIGPIPE, SIG_IGN); });
}

std::string kind_name(wire::Kind kind) { return std::to_string(static_cast<std::uint64_t>(kind)); }

}  // namespace

SharedArea::SharedArea(Descriptor file, std::byte* data, std::size_t size)
    : file_(std::move(file)), data_(data), size_(size) {}

SharedArea::SharedArea(SharedArea&& other) noexcept
    : file_(std::move(other.file_)), data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}

SharedArea& SharedArea::operator=(SharedArea&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedArea::~SharedArea() {
  if (data_ != nullptr) munmap(data_, size_);
}

std::optional<SharedArea> SharedArea::make(const char* name, std::size_t bytes, Writer writer) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) return std::nullopt;
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) return std::nullopt;
  SharedArea area(std::move(file), static_cast<std::byte*>(data), bytes);
  // A read-only descriptor would be no protection: it can be opened again through /proc/self/fd. A seal is.
  const int seals =
      F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (writer == Writer::here ? F_SEAL_FUTURE_WRITE : 0);
  if (fcntl(area.descriptor(), F_ADD_SEALS, seals) != 0) return std::nullopt;
  return area;
}

void make_room(Bytes& payload, std::size_t bytes) {
  payload.clear();
  if (payload.capacity() >= bytes && payload.capacity() <= kUsualPayload) return;
  payload = Bytes();                                               // first, so that nothing is copied
  payload.reserve(bytes < kUsualPayload / 2 ? 2 * bytes : bytes);  // the next may be larger
}

Channel::Channel(bool shared_memory) : request_(Pipe::make()), reply_(Pipe::make()) {
  ignore_broken_pipes();
  if (shared_memory) {
    request_area_ = SharedArea::make("attest-request", kAreaBytes, SharedArea::Writer::here);
    reply_area_ = SharedArea::make("attest-reply", kAreaBytes, SharedArea::Writer::there);
  }
  // Each pipe end is an open file of its own, so the worker cannot make ours block.
  fcntl(request_.write.get(), F_SETFL, O_NONBLOCK);
  fcntl(reply_.read.get(), F_SETFL, O_NONBLOCK);
}

std::vector<std::pair<int, int>> Channel::child_descriptors() const {
  std::vector<std::pair<int, int>> all = {{request_.read.get(), wire::kRequestPipe},
                                          {reply_.write.get(), wire::kReplyPipe}};
  if (shared_memory()) {
    all.push_back({request_area_->descriptor(), wire::kRequestArea});
    all.push_back({reply_area_->descriptor(), wire::kReplyArea});
  }
  return all;
}

void Channel::child_started() {
  request_.read.reset();
  reply_.write.reset();
}

void Channel::send(std::uint64_t nonce, std::uint64_t count, const Bytes& payload) {
  wire::Message message;
  message.nonce = nonce;
  message.bytes = payload.size();
  message.count = count;
  const bool in_memory = shared_memory() && payload.size() <= request_area_->size();
  message.kind = in_memory ? wire::Kind::request_in_memory : wire::Kind::request;
  if (shared_memory())
    std::memset(reply_area_->data(), 0, sizeof(wire::MemoryHeader));  // no hint of an earlier request
  const auto* head = reinterpret_cast<const std::byte*>(&message);
  outbox_.assign(head, head + sizeof message);
  if (in_memory) {
    std::copy(payload.begin(), payload.end(), request_area_->data());
  } else {
    outbox_.insert(outbox_.end(), payload.begin(), payload.end());
  }
  sent_ = 0;
  pump();
}

void Channel::pump() {
  while (sending()) {
    const ssize_t n = write(request_.write.get(), outbox_.data() + sent_, outbox_.size() - sent_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) {  // nobody reads any more: that the worker has ended is noticed elsewhere
      sent_ = outbox_.size();
      return;
    }
    sent_ += static_cast<std::size_t>(n);
  }
}

bool Channel::receive() {
  // Never more than one message of the largest size ahead: a worker that floods is read no faster than it is understood.
  std::byte buffer[1 << 16];
  while (inbox_.size() < sizeof(wire::Message) + wire::kMaxPayload) {
    const ssize_t n = read(reply_.read.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return false;
    inbox_.insert(inbox_.end(), buffer, buffer + n);
    if (n < static_cast<ssize_t>(sizeof buffer)) break;
  }
  return true;
}

bool Channel::next(Received& received) {
  if (inbox_.size() < sizeof(wire::Message)) {
    // Too little for a message, but enough to see that it will never be one.
    const std::uint64_t magic = wire::kMagic;
    if (!inbox_.empty() && std::memcmp(inbox_.data(), &magic, std::min(inbox_.size(), sizeof magic)) != 0)
      throw Breach("bytes that are no message");
    return false;
  }
  std::memcpy(&received.message, inbox_.data(), sizeof(wire::Message));
  const wire::Message& message = received.message;
  if (message.magic != wire::kMagic) throw Breach("bytes that are no message");
  const bool in_memory = message.kind == wire::Kind::done;
  const bool known = in_memory || message.kind == wire::Kind::hello || message.kind == wire::Kind::answer ||
                     message.kind == wire::Kind::crash;
  if (!known) throw Breach("a message of kind " + kind_name(message.kind));
  if (message.bytes > wire::kMaxPayload)
    throw Breach("a message of " + std::to_string(message.bytes) + " bytes");
  const std::size_t payload = in_memory ? 0 : static_cast<std::size_t>(message.bytes);
  if (inbox_.size() < sizeof message + payload) return false;
  make_room(received.payload, payload);
  const auto start = inbox_.begin() + sizeof message;
  received.payload.assign(start, start + static_cast<std::ptrdiff_t>(payload));
  if (in_memory) {
    const std::size_t room = shared_memory() ? reply_area_->size() - sizeof(wire::MemoryHeader) : 0;
    if (message.bytes > room)
      throw Breach("answers of " + std::to_string(message.bytes) + " bytes in an area of " +
                   std::to_string(room));
    // Copied before anything in it is looked at: the worker may go on writing.
    if (message.bytes > 0) {
      const std::byte* from = reply_area_->data() + sizeof(wire::MemoryHeader);
      make_room(received.payload, static_cast<std::size_t>(message.bytes));
      received.payload.assign(from, from + message.bytes);
    }
  }
  inbox_.erase(inbox_.begin(), start + static_cast<std::ptrdiff_t>(payload));
  return true;
}

Bytes Channel::salvage(std::uint64_t* count) const {
  *count = 0;
  if (!shared_memory()) return {};
  wire::MemoryHeader header;
  std::memcpy(&header, reply_area_->data(), sizeof header);
  const std::size_t room = reply_area_->size() - sizeof header;
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(header.bytes, room));
  *count = header.answers;
  const std::byte* from = reply_area_->data() + sizeof header;
  return {from, from + bytes};
}

std::uint64_t Channel::answers_hint() const {
  if (!shared_memory()) return 0;
  auto* header = reinterpret_cast<wire::MemoryHeader*>(reply_area_->data());
  return std::atomic_ref<std::uint64_t>(header->answers).load(std::memory_order_relaxed);
}

}  // namespace attest
