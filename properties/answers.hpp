// What an implementation has answered, by what it was asked. Many properties ask about the same case: who answers the same call in the
// same way every time need not be called again for each of them.
#pragma once

#include "properties/candidate.hpp"
#include "properties/lately.hpp"

#include <optional>

namespace attest {

class Answers {
 public:
  // Nothing for questions that ask for more than the results of a plain call.
  static std::optional<Fingerprint> key_of(const Question& question);

  // From now on answers are used: until then it is not known whether the implementation answers as it did before.
  void trust() { trusted_ = true; }
  void forget() { known_.forget(); }

  // nullptr: not known, or not trusted.
  const Reply* find(const Fingerprint& key) const { return trusted_ ? known_.find(key) : nullptr; }
  // Only what passed: a call that gave no answer is asked again.
  void remember(const Fingerprint& key, Reply reply);

 private:
  Lately<Reply> known_{std::size_t{16} << 20};  // all answers to the default plan are about half of it
  bool trusted_ = false;
};

}  // namespace attest
