// Words for what happened instead of an answer.
#pragma once

#include "properties/outcome.hpp"

#include <string>

namespace attest {

// When nothing could be judged: "it does not compile: expected ';' (mine.cpp:12)".
std::string problem_sentence(Outcome outcome, const Fault& fault);

// When a call gave no answer: "your function raised IndexError: ... (mine.py:12)".
std::string fault_sentence(Outcome outcome, const Fault& fault);

}  // namespace attest
