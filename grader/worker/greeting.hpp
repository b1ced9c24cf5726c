// What the first message of a process says about the submission, in words for its author.
#pragma once

#include "grader/submission/submission.hpp"
#include "grader/worker/codec.hpp"
#include "properties/spec.hpp"

#include <optional>
#include <vector>

namespace attest {

// Nothing: it was loaded, and is for specs[hello.entry]. `plain` has what is known without the status: the fault, the file's name, the output.
std::optional<Problem> problem_of(const Hello& hello, Problem plain, const Submission& submission,
                                  const std::vector<const Spec*>& specs);

}  // namespace attest
