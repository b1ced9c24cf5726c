// The process around a C++ submission: reads questions, calls the entry, writes answers. Compiled once and linked with each
// submission. Fully described by wire.hpp; worker.py is its sibling.
#include "crashing.hpp"
#include "prelude.hpp"
#include "showing.hpp"
#include "wire.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <thread>
#include <typeinfo>

namespace attest_worker {
namespace {

namespace wire = attest::wire;

bool read_all(void* data, std::size_t n) {
  char* at = static_cast<char*>(data);
  while (n > 0) {
    const ssize_t got = read(wire::kRequestPipe, at, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, n -= static_cast<std::size_t>(got);
  }
  return true;
}

// ---- questions and answers ---------------------------------------------------------------------------------------------------

template <class T>
T take(const std::byte*& at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

template <class From>
attest::Matrix matrix_from(const std::byte* at, attest::Index rows, attest::Index columns) {
  using Source = Eigen::Matrix<From, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const Source>(reinterpret_cast<const From*>(at), rows, columns)
      .template cast<attest::Scalar>();
}

Argument read_argument(const std::byte*& at, wire::ArrayHeader& header) {
  header = take<wire::ArrayHeader>(at);
  Argument argument;
  if (header.element == wire::Element::integer) {
    std::int64_t value;
    std::memcpy(&value, at, sizeof value);
    argument.integer = static_cast<attest::Index>(value);
  } else {
    const attest::Index n = header.rank == 3 ? header.dims[0] : 1;
    const attest::Index rows = header.rank >= 2 ? header.dims[header.rank - 2] : 1;
    const attest::Index columns = header.rank >= 1 ? header.dims[header.rank - 1] : 1;
    const bool wide = header.element == wire::Element::float64;
    for (attest::Index g = 0; g < n; ++g) {
      const std::byte* from = at + g * rows * columns * (wide ? 8 : 4);
      attest::Matrix matrix =
          wide ? matrix_from<double>(from, rows, columns) : matrix_from<float>(from, rows, columns);
      if (header.rank == 3) {
        argument.heads.push_back(std::move(matrix));
      } else {
        argument.matrix = std::move(matrix);
      }
    }
  }
  at += wire::padded(static_cast<std::size_t>(header.bytes));
  return argument;
}

struct Answer {
  wire::Status status = wire::Status::answered;
  std::string message, places;
};

std::string type_name(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : type.name();
  std::free(text);
  return name;
}

std::string places_text() {
  std::string text = "@";
  for (int i = 0; i < thrown.count; ++i) {
    char hex[20];
    std::snprintf(hex, sizeof hex, " %llx", reinterpret_cast<unsigned long long>(thrown.frames[i]));
    text += hex;
  }
  return text;
}

// What is wrong with the results' form; numbers and sizes are for others to judge.
void check_form(const Results& results, Answer& answer) {
  for (std::size_t i = 0; i < results.arrays.size(); ++i) {
    const attest::Heads& heads = results.arrays[i];
    for (const attest::Matrix& head : heads) {
      if (head.rows() == heads[0].rows() && head.cols() == heads[0].cols()) continue;
      char text[200];
      std::snprintf(text, sizeof text,
                    "the matrices of %s differ in shape: the first is (%td, %td), another (%td, %td)",
                    i == 0 ? "y" : "the weights", heads[0].rows(), heads[0].cols(), head.rows(), head.cols());
      answer.status = wire::Status::wrong_shape;
      answer.message = text;
    }
  }
}

Answer call(std::int64_t number, std::vector<Argument>& arguments, Results& results) {
  Answer answer;
  thrown.count = 0;
  last_assertion[0] = 0;
  try {
    call_entry(static_cast<int>(number), arguments, results);
    check_form(results, answer);
    return answer;
  } catch (const attest::Unfinished& error) {
    answer.status = wire::Status::unfinished;
    answer.message = error.what();
  } catch (const std::bad_alloc& error) {
    answer.status = wire::Status::out_of_memory;
    answer.message = type_name(typeid(error)) + ": the memory that was asked for is not to be had";
  } catch (const std::exception& error) {
    answer.status = wire::Status::raised;
    answer.message = last_assertion[0] != 0 ? last_assertion : type_name(typeid(error)) + ": " + error.what();
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    answer.status = wire::Status::raised;
    answer.message =
        "something that is no std::exception was thrown: " + (type != nullptr ? type_name(*type) : "unknown");
  }
  answer.places = places_text();
  results.arrays.clear();
  results.stacked.clear();
  return answer;
}

void append_argument(std::vector<std::byte>& to, const Argument& argument, const wire::ArrayHeader& sent) {
  if (sent.element != wire::Element::integer) {
    append_array(to, sent.rank == 3 ? argument.heads : attest::Heads{argument.matrix}, sent.rank == 3);
    return;
  }
  wire::ArrayHeader header = sent;
  const std::int64_t value = argument.integer;
  append(to, &header, sizeof header);
  append(to, &value, sizeof value);
}

std::vector<std::byte> answer_question(const std::byte*& at, std::int64_t index) {
  const auto question = take<wire::QuestionHeader>(at);
  std::vector<Argument> arguments;
  std::vector<wire::ArrayHeader> headers(static_cast<std::size_t>(question.arguments));
  for (wire::ArrayHeader& header : headers) arguments.push_back(read_argument(at, header));

  Results results;
  Shown trace;
  if (question.trace == 1) attest::listener = &trace;
  Answer answer = call(question.call, arguments, results);
  attest::listener = nullptr;
  std::vector<std::byte> bytes;
  wire::AnswerHeader header;
  const auto fill = [&] {
    header.index = index;
    header.status = answer.status;
    const bool answered = answer.status == wire::Status::answered;
    header.results = answered ? static_cast<std::int64_t>(results.arrays.size()) : 0;
    answer.message.resize(std::min<std::size_t>(answer.message.size(), 4000));
    header.message = static_cast<std::int64_t>(answer.message.size());
    header.traceback = static_cast<std::int64_t>(answer.places.size());
    bytes.assign(sizeof header, std::byte{});
    for (std::size_t i = 0; i < static_cast<std::size_t>(header.results); ++i) {
      append_array(bytes, results.arrays[i], results.stacked[i]);
    }
    append(bytes, answer.message.data(), answer.message.size());
    append(bytes, answer.places.data(), answer.places.size());
    header.snapshots = trace.count;
    append(bytes, trace.bytes.data(), trace.bytes.size());
    header.arguments = question.arguments;  // as they are now; results are the caller's own, none is kept
    for (std::size_t i = 0; i < arguments.size(); ++i) append_argument(bytes, arguments[i], headers[i]);
  };
  std::size_t elements = 0;
  for (const attest::Heads& heads : results.arrays) {
    for (const attest::Matrix& head : heads) elements += static_cast<std::size_t>(head.size());
  }
  if (elements > wire::kMaxPayload / 16) {
    answer = {wire::Status::wrong_shape, "returned far too much: " + std::to_string(elements) + " numbers",
              ""};
  }
  fill();
  header.bytes = static_cast<std::int64_t>(bytes.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

// ---- the loop ----------------------------------------------------------------------------------------------------------------

struct Area {
  std::byte* data = nullptr;
  std::size_t size = 0;
};

Area map_area(int fd, int protection) {
  struct stat info {};
  if (fstat(fd, &info) != 0 || info.st_size <= 0) return {};
  void* data = mmap(nullptr, static_cast<std::size_t>(info.st_size), protection, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) return {};
  return {static_cast<std::byte*>(data), static_cast<std::size_t>(info.st_size)};
}

void send_hello() {
  wire::HelloHeader header;
  header.entry = 0;
  header.texts = 3;
  const std::int64_t empty[3] = {};
  wire::Message message;
  message.kind = wire::Kind::hello;
  message.bytes = sizeof header + sizeof empty;
  std::vector<std::byte> bytes;
  append(bytes, &message, sizeof message);
  append(bytes, &header, sizeof header);
  append(bytes, empty, sizeof empty);
  write_all(bytes.data(), bytes.size());
}

}  // namespace

void Results::put(const attest::Matrix& matrix) {
  arrays.push_back({matrix});
  stacked.push_back(false);
}

void Results::put(const attest::Heads& heads) {
  arrays.push_back(heads);
  stacked.push_back(true);
}

void Results::put(const attest::Attention& attention) {
  put(attention.y);
  if (attention.weights.empty()) return;
  arrays.push_back(attention.weights);
  // One head's weights are a matrix where the exercise has one head; more than one is then a fault that the shape shows.
  stacked.push_back(kResultRanks[1] == 3 || attention.weights.size() != 1);
}

void serve() {
  const Area request = map_area(wire::kRequestArea, PROT_READ);
  const Area reply = map_area(wire::kReplyArea, PROT_READ | PROT_WRITE);
  auto* hint = reinterpret_cast<volatile wire::MemoryHeader*>(reply.data);
  const std::size_t room = reply.data != nullptr ? reply.size - sizeof(wire::MemoryHeader) : 0;
  send_hello();
  std::vector<std::byte> payload;
  for (wire::Message message; read_all(&message, sizeof message);) {
    const std::byte* at = request.data;
    if (message.kind != wire::Kind::request_in_memory) {
      payload.resize(message.bytes);
      if (!read_all(payload.data(), payload.size())) break;
      at = payload.data();
    }
    std::size_t used = 0;
    std::uint64_t in_memory = 0;
    bool through_pipe = room == 0;
    wire::Message done;
    done.kind = wire::Kind::done;
    done.nonce = message.nonce;
    for (std::uint64_t i = 0; i < message.count; ++i) {
      const std::vector<std::byte> answer = answer_question(at, static_cast<std::int64_t>(i));
      if (!through_pipe && used + answer.size() <= room) {
        std::memcpy(reply.data + sizeof(wire::MemoryHeader) + used, answer.data(), answer.size());
        used += answer.size();
        hint->bytes = used;
        hint->answers = ++in_memory;
        continue;
      }
      through_pipe = true;
      wire::Message inline_answer = done;
      inline_answer.kind = wire::Kind::answer;
      inline_answer.bytes = answer.size();
      inline_answer.count = 1;
      write_all(&inline_answer, sizeof inline_answer);
      write_all(answer.data(), answer.size());
    }
    std::fflush(stdout);
    std::cout.flush();
    done.bytes = used;
    done.count = in_memory;
    write_all(&done, sizeof done);
  }
  _exit(0);  // the grader has finished; destructors of the submission are of no interest
}

}  // namespace attest_worker

int main() {
#ifdef ATTEST_SANITIZED
  // AddressSanitizer reads where the first thread's stack lies in /proc, which the walls hide; of other threads it is told.
  std::thread(attest_worker::serve).join();
#else
  attest_worker::serve();
#endif
}
