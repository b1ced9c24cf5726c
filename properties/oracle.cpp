#include "properties/oracle.hpp"

#include "properties/lately.hpp"

namespace attest {
namespace {

using Known = Lately<std::shared_ptr<const Expected>>;

Known& memory() {
  thread_local Known of_this_thread(std::size_t{48} << 20);
  return of_this_thread;
}

}  // namespace

std::shared_ptr<const Expected> recall(const Question& question, const Subject& subject) {
  Fingerprint key;
  key.add(2 * static_cast<std::uint64_t>(subject.dtype) + static_cast<std::uint64_t>(subject.care));
  add(key, question.arguments);
  if (const auto* known = memory().find(key)) return *known;
  auto expected = std::make_shared<const Expected>(
      expect(attention_inputs(question.arguments), subject.dtype, subject.care));
  memory().remember(key, expected, expected->bytes());
  return expected;
}

void set_oracle_memory(std::size_t bytes) { memory() = Known(bytes); }

}  // namespace attest
