// What a compiler printed about a file that a stranger wrote.
#include "grader/fuzz/fuzz.hpp"
#include "grader/worker/diagnostics.hpp"

using namespace attest;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Submission submission{"mine.cpp", "mine.cpp", Language::cpp, "int a;\nint b;\n", ""};
  for (const Spec* spec : {&multi_head_attention_spec(), static_cast<const Spec*>(nullptr)}) {
    const Problem problem = explain_compile_error(std::string(fuzz::text(data, size)), submission, spec);
    if (problem.fault.message.empty()) fuzz::found("an error without words");
    if (problem.outcome == Outcome::passed) fuzz::found("an error that is none");
  }
  return 0;
}
