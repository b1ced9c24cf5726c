// The right answers, remembered: properties ask about the same inputs again and again, and one right answer with its bounds costs
// more than many submissions' calls.
#pragma once

#include "properties/property.hpp"

#include <memory>

namespace attest {

// expect() of the question's attention, from memory if it was asked lately. Each thread remembers the latest 48 MB.
std::shared_ptr<const Expected> recall(const Question& question, const Subject& subject);

// Another size for this thread, e.g. for many implementations on the same cases. What is known is forgotten.
void set_oracle_memory(std::size_t bytes);

}  // namespace attest
