// Something that answers questions: the reference, a mutant, a function linked in process, a learner's file in another
// process. Everything that judges speaks to this one interface.
#pragma once

#include "properties/outcome.hpp"
#include "properties/tensor.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attest {

// How the arguments lie in memory, and where: same_arrays are those of the call before, now with these numbers. Only implementations with
// array views can tell them apart.
enum class MemoryOrder { c, fortran, strided, same_arrays };

// One call to make.
struct Question {
  Arguments arguments;
  MemoryOrder order = MemoryOrder::c;
  std::size_t call = 0;  // of the spec's functions, this one (Spec::call)
  bool fresh =
      false;  // ask an instance that has never been called; the next question goes to the usual one again
  bool echo = false;           // also report the arguments as they are after the call
  bool echo_previous = false;  // ... or the results of the kResultsLookedBack-th question before this one
  bool trace =
      false;  // also report the values that variables took on the way; slow, so nothing is judged by it
};

inline constexpr std::size_t kResultsLookedBack = 4;

// A variable's value at one moment of a call, as the submission's side reports it: untrusted.
struct Snapshot {
  enum class Event { assigned, changed, argument, returned };
  Event event = Event::assigned;
  std::string name, function;
  int line = 0;  // where it got this value; 1-based, 0 when unknown
  Tensor value;
};

// {q, ...} without the copy of each that an initializer list makes.
template <class... Questions>
std::vector<Question> questions_in_order(Questions&&... questions) {
  std::vector<Question> all;
  all.reserve(sizeof...(questions));
  (all.push_back(std::forward<Questions>(questions)), ...);
  return all;
}

// One answer. `results` is meaningful when outcome is passed.
struct Reply {
  Outcome outcome = Outcome::passed;
  Fault fault;
  Arguments results;          // y, then weights if they were returned
  Arguments arguments_after;  // when asked for with echo; a process reports them wherever they have changed
  Arguments
      previous_after;  // when asked for with echo_previous, of an implementation that keeps its results in its own memory
  std::vector<Snapshot> snapshots = {};  // when asked for with trace, in the order in which they were made
};

class Candidate {
 public:
  virtual ~Candidate() = default;
  // Answers in order, one reply each. An instance may keep state from one question to the next: that is what the
  // properties of history look for. A crash costs its own question only. May stop early after an answer that took its whole time
  // limit: fewer replies than questions, the last of them timed_out.
  virtual std::vector<Reply> answer(std::span<const Question> questions) = 0;
  // These questions are the next to be answered, after those begun before: whoever computes elsewhere need not wait for answer()
  // to begin with them. They must live until then, or until they are dropped: by answer() for others, by begin() for none. Said
  // twice it is the same.
  virtual void begin(std::span<const Question> /*questions*/) {}
  // The next question goes to an instance that has never been called.
  virtual void restart() {}
  // Whether MemoryOrder makes a difference to it.
  virtual bool sees_memory_order() const { return false; }
};

// A function in this process. `make` builds a fresh instance with its own state. The argument is mutable so that in-place
// bugs can be had; it is the instance's own copy. Exceptions become Outcome::raised.
using AttentionFunction = std::function<Answer<double>(Inputs<double>&)>;
std::unique_ptr<Candidate> in_process(std::function<AttentionFunction()> make);

// A table of stages, computing in the given precision.
AttentionFunction attention_function(Stages<double> stages);
AttentionFunction attention_function(Stages<float> stages);

}  // namespace attest
