// What a compiler or a linker printed, read for the one error that matters.
#pragma once

#include "grader/submission/submission.hpp"
#include "properties/spec.hpp"

#include <string>

namespace attest {

// The name under which the generated lines around a submission go in diagnostics.
inline constexpr const char* kAdapterName = "attest-adapter";
// What the generated static_assert says when the entry cannot be called.
inline constexpr const char* kSignatureMark = "attest: the entry takes other parameters";

Problem explain_compile_error(const std::string& output, const Submission& submission, const Spec* spec);

}  // namespace attest
