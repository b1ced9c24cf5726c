#include "grader/worker/codec.hpp"

#include "grader/submission/text.hpp"

#include <algorithm>
#include <cstring>

namespace attest {

static_assert(wire::kResultsLookedBack == kResultsLookedBack);

View Reader::take(std::uint64_t bytes, const char* what) {
  if (bytes > left()) {
    throw Breach(std::string(what) + " of " + std::to_string(bytes) + " bytes where " +
                 std::to_string(left()) + " are left");
  }
  const View taken = view_.subspan(at_, static_cast<std::size_t>(bytes));
  at_ += static_cast<std::size_t>(bytes);
  return taken;
}

template <class T>
T Reader::take(const char* what) {
  T value;
  std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
  return value;
}
template wire::Message Reader::take<wire::Message>(const char*);
template wire::CrashNote Reader::take<wire::CrashNote>(const char*);
template wire::MemoryHeader Reader::take<wire::MemoryHeader>(const char*);

std::string Reader::text(std::int64_t length, const char* what) {
  if (length < 0 || length > wire::kMaxText)
    throw Breach(std::string(what) + " of " + std::to_string(length) + " bytes");
  const auto n = static_cast<std::size_t>(length);
  const View bytes = take(wire::padded(n), what);
  return {reinterpret_cast<const char*>(bytes.data()), n};
}

namespace {

void append(Bytes& to, const void* from, std::size_t n) {
  const auto* bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + n);
  to.resize(wire::padded(to.size()));
}

std::size_t element_bytes(wire::Element element) { return element == wire::Element::float32 ? 4 : 8; }

wire::ArrayHeader header_of(const Named& argument, Dtype dtype) {
  wire::ArrayHeader header;
  header.element = argument.integer          ? wire::Element::integer
                   : dtype == Dtype::float32 ? wire::Element::float32
                                             : wire::Element::float64;
  const auto& dims = argument.tensor.dims;
  if (dims.size() > wire::kMaxRank)
    throw std::logic_error("argument " + argument.name + " has too many dimensions");
  header.rank = static_cast<std::int64_t>(dims.size());
  std::copy(dims.begin(), dims.end(), header.dims);
  header.bytes = static_cast<std::int64_t>(argument.tensor.values.size() * element_bytes(header.element));
  return header;
}

// How a length that makes no sense is told.
std::string number(std::int64_t value) { return std::to_string(value); }

Tensor decode_array(Reader& reader, bool* integer) {
  const auto header = reader.take<wire::ArrayHeader>("an array's header");
  using wire::Element;
  if (header.element != Element::float64 && header.element != Element::float32 &&
      header.element != Element::integer) {
    throw Breach("an array of element kind " + number(static_cast<std::int64_t>(header.element)));
  }
  if (header.rank < 0 || header.rank > static_cast<std::int64_t>(wire::kMaxRank)) {
    throw Breach("an array with " + number(header.rank) + " dimensions");
  }
  Tensor tensor;
  const std::size_t size = element_bytes(header.element);
  std::uint64_t count = 1;
  for (std::int64_t i = 0; i < header.rank; ++i) {
    const std::int64_t dim = header.dims[i];
    // Each factor is at most 2^27 and so is the product so far: no overflow.
    if (dim < 0 || dim > static_cast<std::int64_t>(wire::kMaxPayload))
      throw Breach("an array dimension of " + number(dim));
    count *= static_cast<std::uint64_t>(dim);
    if (count > wire::kMaxPayload) throw Breach("an array with more elements than fit into a reply");
    tensor.dims.push_back(static_cast<Index>(dim));
  }
  if (header.bytes < 0 || static_cast<std::uint64_t>(header.bytes) != count * size) {
    throw Breach("an array of " + number(static_cast<std::int64_t>(count)) + " elements in " +
                 number(header.bytes) + " bytes");
  }
  const View data = reader.take(wire::padded(count * size), "an array's elements");
  tensor.values = Numbers(count);
  *integer = header.element == Element::integer;
  if (header.element == Element::float64) {
    if (count > 0) std::memcpy(tensor.values.data(), data.data(), count * size);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      if (header.element == Element::float32) {
        float value;
        std::memcpy(&value, data.data() + i * size, size);
        tensor.values[i] = value;
      } else {
        std::int64_t value;
        std::memcpy(&value, data.data() + i * size, size);
        tensor.values[i] = static_cast<double>(value);
      }
    }
  }
  return tensor;
}

// Reads an argument as it came back; true where it is what was sent, bit for bit. Most are, so nothing is copied for it.
bool is_unchanged(Reader& reader, const Named& sent) {
  const auto header = reader.take<wire::ArrayHeader>("an argument's header");
  if (header.bytes < 0) throw Breach("an argument of " + number(header.bytes) + " bytes");
  const View data =
      reader.take(wire::padded(static_cast<std::uint64_t>(header.bytes)), "an argument's elements");
  const auto& [dims, values] = sent.tensor;
  const std::size_t size = element_bytes(header.element);
  if (static_cast<std::size_t>(header.bytes) != values.size() * size ||
      header.rank != static_cast<std::int64_t>(dims.size()) ||
      !std::equal(dims.begin(), dims.end(), header.dims))
    return false;
  if (header.element == wire::Element::float64)
    return std::memcmp(values.data(), data.data(), values.size() * size) == 0;
  if (header.element == wire::Element::integer) {
    const auto value = static_cast<std::int64_t>(values.at(0));
    return std::memcmp(&value, data.data(), sizeof value) == 0;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(values[i]);
    if (std::memcmp(&value, data.data() + i * size, size) != 0) return false;
  }
  return true;
}

std::vector<Snapshot> decode_snapshots(Reader& reader, std::int64_t count) {
  if (count < 0 || count > wire::kMaxSnapshots) throw Breach(number(count) + " snapshots");
  const std::size_t before = reader.left();
  std::vector<Snapshot> snapshots;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto header = reader.take<wire::SnapshotHeader>("a snapshot's header");
    if (header.event < wire::Event::assigned || header.event > wire::Event::returned)
      throw Breach("a snapshot of event " + number(static_cast<std::int64_t>(header.event)));
    Snapshot snapshot;
    snapshot.event = header.event == wire::Event::assigned   ? Snapshot::Event::assigned
                     : header.event == wire::Event::changed  ? Snapshot::Event::changed
                     : header.event == wire::Event::argument ? Snapshot::Event::argument
                                                             : Snapshot::Event::returned;
    snapshot.line = static_cast<int>(std::clamp<std::int64_t>(header.line, 0, 1 << 30));
    snapshot.name = printable_line(reader.text(header.name, "a variable's name"), wire::kMaxSnapshotName);
    snapshot.function =
        printable_line(reader.text(header.function, "a function's name"), wire::kMaxSnapshotName);
    bool integer = false;
    snapshot.value = decode_array(reader, &integer);
    if (before - reader.left() > wire::kMaxSnapshotBytes)
      throw Breach("snapshots of more than " + std::to_string(wire::kMaxSnapshotBytes) + " bytes");
    snapshots.push_back(std::move(snapshot));
  }
  return snapshots;
}

}  // namespace

std::size_t encoded_size(const Question& question, Dtype dtype) {
  std::size_t bytes = sizeof(wire::QuestionHeader);
  for (const Named& argument : question.arguments) {
    bytes +=
        sizeof(wire::ArrayHeader) + wire::padded(static_cast<std::size_t>(header_of(argument, dtype).bytes));
  }
  return bytes;
}

void encode(const Question& question, Dtype dtype, Bytes& to) {
  wire::QuestionHeader header;
  header.bytes = static_cast<std::int64_t>(encoded_size(question, dtype));
  header.order = question.order == MemoryOrder::c         ? wire::Order::c
                 : question.order == MemoryOrder::fortran ? wire::Order::fortran
                 : question.order == MemoryOrder::strided ? wire::Order::strided
                                                          : wire::Order::same_arrays;
  header.call = static_cast<std::int64_t>(question.call);
  header.arguments = static_cast<std::int64_t>(question.arguments.size());
  header.trace = question.trace ? 1 : 0;
  append(to, &header, sizeof header);
  std::vector<float> narrow;
  for (const Named& argument : question.arguments) {
    const wire::ArrayHeader array = header_of(argument, dtype);
    append(to, &array, sizeof array);
    const auto& values = argument.tensor.values;
    if (argument.integer) {
      const auto value = static_cast<std::int64_t>(values.at(0));
      append(to, &value, sizeof value);
    } else if (dtype == Dtype::float32) {
      narrow.assign(values.size(), 0);
      std::transform(values.begin(), values.end(), narrow.begin(),
                     [](double v) { return static_cast<float>(v); });
      append(to, narrow.data(), narrow.size() * sizeof(float));
    } else {
      append(to, values.data(), values.size() * sizeof(double));
    }
  }
}

Answered decode_answer(Reader& reader, std::span<const Question> questions, const Spec& exercise) {
  const auto header = reader.take<wire::AnswerHeader>("an answer's header");
  constexpr auto kHeader = static_cast<std::int64_t>(sizeof header);
  if (header.bytes < kHeader) throw Breach("an answer of " + number(header.bytes) + " bytes");
  Reader body(reader.take(static_cast<std::uint64_t>(header.bytes - kHeader), "an answer"));

  if (header.index < 0 || header.index >= static_cast<std::int64_t>(questions.size())) {
    throw Breach("an answer to question " + number(header.index) + " of " + std::to_string(questions.size()));
  }
  const Question& question = questions[static_cast<std::size_t>(header.index)];
  const Spec& spec = exercise.call(question.call);
  if (header.status < wire::Status::answered || header.status > wire::Status::wrong_shape) {
    throw Breach("an answer with status " + number(static_cast<std::int64_t>(header.status)));
  }
  if (header.results < 0 || header.results > static_cast<std::int64_t>(spec.results.size())) {
    throw Breach(number(header.results) + " results where there are at most " +
                 std::to_string(spec.results.size()));
  }
  if (header.status == wire::Status::answered && header.results == 0)
    throw Breach("an answer without a result");
  if (header.arguments != static_cast<std::int64_t>(question.arguments.size()) || header.previous < 0 ||
      header.previous > static_cast<std::int64_t>(spec.results.size())) {
    throw Breach(number(header.arguments) + " arguments and " + number(header.previous) +
                 " earlier results sent back");
  }

  Answered answered;
  answered.index = static_cast<std::size_t>(header.index);
  answered.status = header.status;
  bool integer = false;
  for (std::int64_t i = 0; i < header.results; ++i) {
    Tensor tensor = decode_array(body, &integer);
    answered.reply.results.push_back(
        {spec.results[static_cast<std::size_t>(i)].name, std::move(tensor), integer});
  }
  Fault& fault = answered.reply.fault;
  fault.message = body.text(header.message, "a message");
  fault.file = body.text(header.file, "a file name");
  fault.traceback = body.text(header.traceback, "a traceback");
  answered.reply.snapshots = decode_snapshots(body, question.trace ? header.snapshots : 0);
  fault.line = static_cast<int>(std::clamp<std::int64_t>(header.line, 0, 1 << 30));

  Reader again = body;
  bool changed = false;
  for (const Named& argument : question.arguments) changed |= !is_unchanged(body, argument);
  if (changed) {
    for (const Named& argument : question.arguments) {
      Tensor tensor = decode_array(again, &integer);
      answered.reply.arguments_after.push_back({argument.name, std::move(tensor), integer});
    }
  } else if (question.echo) {
    answered.reply.arguments_after = question.arguments;
  }
  if (!question.echo_previous) return answered;
  for (std::int64_t i = 0; i < header.previous; ++i) {
    Tensor tensor = decode_array(body, &integer);
    answered.reply.previous_after.push_back(
        {spec.results[static_cast<std::size_t>(i)].name, std::move(tensor), integer});
  }
  if (body.left() != 0) throw Breach(std::to_string(body.left()) + " bytes too many in an answer");
  return answered;
}

std::string Hello::fact(std::string_view key) const {
  for (const auto& [name, value] : facts) {
    if (name == key) return value;
  }
  return {};
}

Hello decode_hello(View payload) {
  Reader reader(payload);
  const auto header = reader.take<wire::HelloHeader>("a greeting's header");
  if (header.status < wire::Status::answered || header.status > wire::Status::no_walls) {
    throw Breach("a greeting with status " + number(static_cast<std::int64_t>(header.status)));
  }
  if (header.texts < 3 || header.texts > 1000 || header.texts % 2 == 0) {
    throw Breach("a greeting with " + number(header.texts) + " texts");
  }
  Hello hello;
  hello.status = header.status;
  hello.entry = static_cast<int>(std::clamp<std::int64_t>(header.entry, -1, 1 << 20));
  hello.fault.line = static_cast<int>(std::clamp<std::int64_t>(header.line, 0, 1 << 30));
  const auto next = [&] { return reader.text(reader.take<std::int64_t>("a text's length"), "a text"); };
  hello.fault.message = next();
  hello.fault.file = next();
  hello.fault.traceback = next();
  for (std::int64_t i = 3; i < header.texts; i += 2) {
    std::string key = next();
    hello.facts.emplace_back(std::move(key), next());
  }
  if (reader.left() != 0) throw Breach(std::to_string(reader.left()) + " bytes too many in a greeting");
  return hello;
}

}  // namespace attest
