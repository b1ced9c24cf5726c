// What the grader and a worker say to each other, byte for byte. Both sides include this file (worker.py repeats it), so it
// includes nothing of the project: the process that runs a submission holds no answers.
//
// Two pipes carry messages: a Message, then `bytes` of payload. A request's payload, and the answers to it, may lie in two
// shared areas instead; then the message only says how much. Everything is in native byte order and 8-byte aligned.
//
//   -> request            questions: QuestionHeader, then its arrays
//   -> request_in_memory  the same, at offset 0 of the request area
//   <- hello              HelloHeader, texts: message, file, traceback, then key, value, key, value ...   (once, at start)
//   <- answer             one answer: AnswerHeader, result arrays, texts: message, file, traceback, snapshots; then, as they are
//                         after the call, its arguments and the results of the call kResultsLookedBack before it, if those are kept
//   <- done               `count` answers lie in the reply area behind its MemoryHeader, `bytes` long in all
//   <- crash              CrashNote: written by a signal handler; the process is about to end
//
// An answer that does not fit the reply area travels through the pipe, and so do all that follow it. Without shared areas
// every answer does.
//
// A request does not say after which calls somebody will look at the arguments and at earlier results: they come with every
// answer, and most are not read. So a submission cannot know when to be careful with them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attest::wire {

// "ATTEST" and the protocol's version: a change of any structure here changes the last byte, also where testdata/hostile and tests forge it.
inline constexpr std::uint64_t kMagic = 0x0003'5453'4554'5441;

// Descriptors in the worker.
inline constexpr int kRequestArea = 3, kReplyArea = 4, kRequestPipe = 5, kReplyPipe = 6;

enum class Kind : std::uint64_t {
  hello = 1,
  request = 2,
  request_in_memory = 3,
  answer = 4,
  done = 5,
  crash = 6
};

struct Message {
  std::uint64_t magic = kMagic;
  Kind kind = Kind::hello;
  std::uint64_t nonce = 0;  // drawn anew for each request and repeated in its replies; 0 in a hello
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;  // questions in a request, answers in a done
};
static_assert(sizeof(Message) == 40);

// same_arrays: where the call before in this request had an array of this shape, that array, now with these numbers.
enum class Order : std::int64_t { c = 0, fortran = 1, strided = 2, same_arrays = 3 };

struct QuestionHeader {
  std::int64_t bytes = 0;  // of the whole question, this header included
  Order order = Order::c;
  std::int64_t call = 0;  // which of the submission's functions
  std::int64_t arguments = 0;
  std::int64_t trace = 0;  // 1: send the values that variables took on the way, too
};
static_assert(sizeof(QuestionHeader) == 40);

enum class Element : std::int64_t { integer = 0, float64 = 1, float32 = 2 };

inline constexpr std::size_t kMaxRank = 5;

// Followed by the elements, row-major, padded to a multiple of 8. An integer has rank 0 and 8 bytes.
struct ArrayHeader {
  Element element = Element::float64;
  std::int64_t rank = 0;
  std::int64_t bytes = 0;  // of the elements, without padding
  std::int64_t dims[kMaxRank] = {};
};
static_assert(sizeof(ArrayHeader) == 64);

enum class Status : std::int64_t {
  answered = 0,
  raised = 1,
  unfinished = 2,
  out_of_memory = 3,
  exited = 4,
  wrong_type = 5,
  wrong_shape = 6,
  // in a hello only:
  import_error = 7,
  no_entry = 8,
  wrong_signature = 9,  // the entry cannot be called with as many arguments as there are
  no_numpy = 10,
  no_walls = 11,  // it could not be confined, and has not been loaded
};

struct AnswerHeader {
  std::int64_t bytes = 0;  // of the whole answer, this header included
  std::int64_t index = 0;  // of the question
  Status status = Status::answered;
  std::int64_t results = 0;
  std::int64_t line = 0;
  std::int64_t message = 0, file = 0, traceback = 0;  // lengths; each text is padded to a multiple of 8
  std::int64_t snapshots = 0;
  std::int64_t arguments = 0, previous = 0;  // arrays behind all that
};
static_assert(sizeof(AnswerHeader) == 88);

// How a variable came to its value.
enum class Event : std::int64_t { assigned = 0, changed = 1, argument = 2, returned = 3 };

// A variable's value at one moment: the header, its name and its function's, then one array.
struct SnapshotHeader {
  Event event = Event::assigned;
  std::int64_t line = 0;
  std::int64_t name = 0, function = 0;  // lengths; each text is padded to a multiple of 8
};
static_assert(sizeof(SnapshotHeader) == 32);

// As many buffers that results are given in by turns show as such.
inline constexpr std::size_t kResultsLookedBack = 4;

// What one answer shows at most; a worker stops there, and nobody is told.
inline constexpr std::int64_t kMaxSnapshots = 1200, kMaxSnapshotName = 80;
inline constexpr std::size_t kMaxSnapshotBytes = 1u << 20;

struct HelloHeader {
  Status status = Status::answered;
  std::int64_t line = 0;
  std::int64_t entry = -1;  // which of the entries asked for was found
  std::int64_t texts = 0;   // each: its length as 8 bytes, then its bytes, padded
};
static_assert(sizeof(HelloHeader) == 32);

// At the start of the reply area, kept up to date after each answer. A hint: the submission can write here.
struct MemoryHeader {
  std::uint64_t answers = 0;
  std::uint64_t bytes = 0;
  std::uint64_t reserved[6] = {};
};
static_assert(sizeof(MemoryHeader) == 64);

struct CrashNote {
  std::int64_t signal =
      0;  // 0: not a signal but an exception that could not be caught (`message` says which)
  std::uint64_t fault_address = 0;
  std::uint64_t stack_pointer = 0;
  std::int64_t frames = 0;
  std::uint64_t addresses[24] = {};  // return addresses, innermost first
  char message[256] = {};            // ends at the first NUL
};
static_assert(sizeof(CrashNote) == 480);

// Longest payload of one message through the pipe, and longest text in it.
inline constexpr std::uint64_t kMaxPayload = 64u << 20;
inline constexpr std::int64_t kMaxText = 16 << 10;

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace attest::wire
