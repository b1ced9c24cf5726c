// What a worker sends: messages through the pipe, answers in the shared area, a hello. All of it may be written by a stranger.
#include "grader/fuzz/fuzz.hpp"
#include "grader/worker/channel.hpp"
#include "grader/worker/codec.hpp"
#include "properties/case.hpp"

#include <unistd.h>

#include <algorithm>
#include <span>
#include <vector>

using namespace attest;

namespace {

std::vector<Question> two_questions() {
  const Spec& spec = multi_head_attention_spec();
  Case c;
  for (const std::string& symbol : spec.free_symbols()) c.free[symbol] = 2;
  Question plain{materialise(spec, c, Dtype::float64)};
  Question traced = plain;
  traced.trace = true;
  traced.echo = true;
  return {plain, traced};
}

void read_answers(View bytes) {
  static const std::vector<Question> questions = two_questions();
  try {
    for (Reader reader(bytes); reader.left() > 0;) {
      if (decode_answer(reader, questions, multi_head_attention_spec()).index >= questions.size())
        fuzz::found("an answer to no question");
    }
  } catch (const Breach&) {
  }
}

void read_messages(const std::uint8_t* data, std::size_t size) {
  Channel channel(false);
  const int theirs = channel.child_descriptors()[1].first;
  if (write(theirs, data, std::min<std::size_t>(size, 32768)) < 0) return;
  channel.child_started();
  try {
    channel.receive();
    Channel::Received received;
    while (channel.next(received)) read_answers(received.payload);
  } catch (const Breach&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const View bytes = std::as_bytes(std::span(data, size));
  try {
    decode_hello(bytes);
  } catch (const Breach&) {
  }
  read_answers(bytes);
  read_messages(data, size);
  return 0;
}
