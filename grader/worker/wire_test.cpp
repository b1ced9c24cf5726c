// The codec alone: what is sent can be read, and what a worker could send instead is refused.
#include "grader/worker/wire.hpp"

#include "grader/worker/channel.hpp"
#include "grader/worker/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace attest {
namespace {

Spec spec() {
  Spec spec;
  spec.entry = "f";
  spec.arguments = {{"x", {"T", "d"}, false}, {"n", {"n"}, true}};
  spec.results = {{"y", {"T", "d"}, false}, {"weights", {"n", "T", "T"}, true}};
  return spec;
}

Question question() {
  Question question;
  question.arguments = {{"x", {{2, 3}, {1, 2, 3, 4, 5, 6}}, false}, {"n", {{}, {2}}, true}};
  question.echo = true;
  return question;
}

void append(Bytes& to, const void* data, std::size_t n) {
  const auto* bytes = static_cast<const std::byte*>(data);
  to.insert(to.end(), bytes, bytes + n);
  to.resize(wire::padded(to.size()));
}

void append_array(Bytes& to, std::vector<std::int64_t> dims, const std::vector<double>& values) {
  wire::ArrayHeader header;
  header.rank = static_cast<std::int64_t>(dims.size());
  std::copy(dims.begin(), dims.end(), header.dims);
  header.bytes = static_cast<std::int64_t>(8 * values.size());
  append(to, &header, sizeof header);
  append(to, values.data(), 8 * values.size());
}

// A snapshot of (2, 2) numbers.
void append_snapshot(Bytes& to) {
  wire::SnapshotHeader header;
  header.event = wire::Event::changed;
  header.line = 7;
  header.name = 6;
  header.function = 1;
  append(to, &header, sizeof header);
  append(to, "scores", 6);
  append(to, "f", 1);
  append_array(to, {2, 2}, {1, 2, 3, 4});
}

// An answer as a worker writes it: y, weights, a message, a snapshot if it is traced; both arguments, and an earlier y.
Bytes answer(bool traced = false) {
  Bytes bytes(sizeof(wire::AnswerHeader));
  append_array(bytes, {2, 3}, {1, -0.0, std::numeric_limits<double>::infinity(), 4, 5, std::nan("")});
  append_array(bytes, {1, 2, 2}, {1, 0, 0.5, 0.5});
  append(bytes, "hello", 5);
  if (traced) append_snapshot(bytes);
  append_array(bytes, {2, 3}, {1, 2, 3, 4, 5, 6});
  wire::ArrayHeader integer;
  integer.element = wire::Element::integer;
  integer.bytes = 8;
  const std::int64_t two = 2;
  append(bytes, &integer, sizeof integer);
  append(bytes, &two, sizeof two);
  append_array(bytes, {1, 2}, {7, 8});
  wire::AnswerHeader header;
  header.results = 2;
  header.message = 5;
  header.snapshots = traced ? 1 : 0;
  header.arguments = 2;
  header.previous = 1;
  header.bytes = static_cast<std::int64_t>(bytes.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Answered read(const Bytes& bytes) {
  const std::vector<Question> questions = {question()};
  Reader reader(bytes);
  return decode_answer(reader, questions, spec());
}

TEST(Codec, AnAnswerIsReadAsItWasWritten) {
  const Answered answered = read(answer());
  ASSERT_EQ(answered.reply.results.size(), 2u);
  EXPECT_EQ(answered.reply.results[0].name, "y");
  EXPECT_EQ(answered.reply.results[0].tensor.dims, (Dims{2, 3}));
  EXPECT_TRUE(std::signbit(answered.reply.results[0].tensor.values[1]));
  EXPECT_TRUE(std::isinf(answered.reply.results[0].tensor.values[2]));
  EXPECT_TRUE(std::isnan(answered.reply.results[0].tensor.values[5]));
  EXPECT_EQ(answered.reply.results[1].tensor.dims, (Dims{1, 2, 2}));
  EXPECT_EQ(answered.reply.fault.message, "hello");
}

// A worker sends what was there before the call after every call, and does not know what will be read.
TEST(Codec, ArgumentsAndEarlierResultsAreReadWhereSomebodyAskedForThem) {
  const Bytes bytes = answer();
  const auto read_as = [&](bool echo, bool echo_previous) {
    std::vector<Question> questions = {question()};
    questions[0].echo = echo;
    questions[0].echo_previous = echo_previous;
    Reader reader(bytes);
    Reply reply = decode_answer(reader, questions, spec()).reply;
    EXPECT_EQ(reader.left(), 0u);
    return reply;
  };
  EXPECT_EQ(read_as(true, false).arguments_after, question().arguments);
  EXPECT_EQ(read_as(true, false).previous_after, Arguments{});
  EXPECT_EQ(read_as(false, true).arguments_after, Arguments{});
  EXPECT_EQ(read_as(false, true).previous_after, (Arguments{{"y", {{1, 2}, {7, 8}}, false}}));
  EXPECT_EQ(read_as(false, false).arguments_after, Arguments{});
  EXPECT_EQ(read_as(false, false).previous_after, Arguments{});
}

TEST(Codec, AQuestionIsTheSameWhetherItsArgumentsAreLookedAtOrNot) {
  Question looked = question(), previous = question(), plain = question();
  plain.echo = false;
  previous.echo = false;
  previous.echo_previous = true;
  Bytes first, second, third;
  encode(looked, Dtype::float64, first);
  encode(previous, Dtype::float64, second);
  encode(plain, Dtype::float64, third);
  EXPECT_EQ(first, third);
  EXPECT_EQ(second, third);
}

Answered read_traced(const Bytes& bytes, bool trace = true) {
  std::vector<Question> questions = {question()};
  questions[0].trace = trace;
  Reader reader(bytes);
  return decode_answer(reader, questions, spec());
}

TEST(Codec, SnapshotsAreReadWhereTheyWereAskedFor) {
  const std::vector<Snapshot> snapshots = read_traced(answer(true)).reply.snapshots;
  ASSERT_EQ(snapshots.size(), 1u);
  EXPECT_EQ(snapshots[0].event, Snapshot::Event::changed);
  EXPECT_EQ(snapshots[0].name, "scores");
  EXPECT_EQ(snapshots[0].function, "f");
  EXPECT_EQ(snapshots[0].line, 7);
  EXPECT_EQ(snapshots[0].value.dims, (Dims{2, 2}));
  EXPECT_EQ(snapshots[0].value.values, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_THROW(read_traced(answer(true), false), Breach);
  EXPECT_TRUE(read_traced(answer(false)).reply.snapshots.empty());
  const Bytes whole = answer(true);
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_THROW(read_traced(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n))), Breach)
        << n;
  for (std::size_t at = 0; at + 8 <= whole.size(); at += 8) {
    for (const std::uint64_t value :
         {std::uint64_t{1} << 63, ~std::uint64_t{0}, std::uint64_t{1} << 32, std::uint64_t{5}}) {
      Bytes bytes = whole;
      std::memcpy(bytes.data() + at, &value, sizeof value);
      try {
        for (const Snapshot& one : read_traced(bytes).reply.snapshots)
          EXPECT_EQ(Tensor::zeros(one.value.dims).values.size(), one.value.values.size());
      } catch (const Breach&) {
      }
    }
  }
}

TEST(Codec, AQuestionTakesTheSpaceThatWasForetold) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64}) {
    Bytes bytes;
    encode(question(), dtype, bytes);
    EXPECT_EQ(bytes.size(), encoded_size(question(), dtype));
  }
}

TEST(Channel, TheMemoryOfAPayloadIsUsedAgain) {
  Bytes payload;
  make_room(payload, 1000);
  payload.resize(1000);
  const std::byte* memory = payload.data();
  make_room(payload, 2000);  // there was room for a larger one
  EXPECT_TRUE(payload.empty());
  EXPECT_EQ(payload.data(), memory);
  make_room(payload, 2 * kUsualPayload);
  EXPECT_GE(payload.capacity(), 2 * kUsualPayload);
  make_room(payload, 10);  // so much is not kept
  EXPECT_LT(payload.capacity(), kUsualPayload);
}

TEST(Codec, EveryTruncationIsRefused) {
  const Bytes whole = answer();
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_THROW(read(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n))), Breach) << n;
  }
}

TEST(Codec, NoWordOfAnAnswerCanDoHarm) {
  // Every 8 bytes replaced by lengths that overflow, are negative, or a little wrong. Numbers may be anything; whatever is
  // accepted has the shape that it says.
  const Bytes whole = answer();
  for (std::size_t at = 0; at < whole.size(); at += 8) {
    for (const std::uint64_t value :
         {std::uint64_t{1} << 63, ~std::uint64_t{0}, std::uint64_t{1} << 62, std::uint64_t{1} << 61,
          std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 6, std::uint64_t{7}, std::uint64_t{1}}) {
      Bytes bytes = whole;
      std::memcpy(bytes.data() + at, &value, sizeof value);
      try {
        const Answered answered = read(bytes);
        for (const Named& result : answered.reply.results) {
          Index product = 1;
          for (const Index dim : result.tensor.dims) product *= dim;
          EXPECT_EQ(product, result.tensor.size());
        }
      } catch (const Breach&) {
      }
    }
  }
}

TEST(Codec, AnAnswerToAnotherQuestionIsRefused) {
  Bytes bytes = answer();
  const std::int64_t index = 1;
  std::memcpy(bytes.data() + offsetof(wire::AnswerHeader, index), &index, sizeof index);
  EXPECT_THROW(read(bytes), Breach);
}

TEST(Codec, AGreetingIsReadOrRefused) {
  Bytes bytes;
  wire::HelloHeader header;
  header.entry = 1;
  header.texts = 5;
  append(bytes, &header, sizeof header);
  for (const std::string text : {"message", "mine.py", "", "python", "3.11"}) {
    const auto n = static_cast<std::int64_t>(text.size());
    append(bytes, &n, sizeof n);
    append(bytes, text.data(), text.size());
  }
  const Hello hello = decode_hello(bytes);
  EXPECT_EQ(hello.entry, 1);
  EXPECT_EQ(hello.fault.message, "message");
  EXPECT_EQ(hello.fact("python"), "3.11");
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_THROW(decode_hello(View(bytes).first(n)), Breach) << n;
}

}  // namespace
}  // namespace attest
