// A submission's text, read for its functions and imports, and made printable.
#include "grader/fuzz/fuzz.hpp"
#include "grader/submission/submission.hpp"
#include "grader/submission/text.hpp"

#include <algorithm>

using namespace attest;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text(data, size));
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  for (const Language language : {Language::python, Language::cpp}) {
    const Submission submission{"mine", "mine", language, text, ""};
    check(submission);
    for (const Definition& definition : definitions(submission))
      if (definition.line < 1 || definition.line > lines) fuzz::found("a function outside the file");
    for (const Import& import : imports(submission))
      if (import.line < 1 || import.line > lines) fuzz::found("an import outside the file");
  }
  for (const char c : printable_line(text))
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') fuzz::found("a control character");
  if (printable(text, 100).size() > 400)
    fuzz::found("not cut");  // each byte may become a sign of three; and the note on what was cut
  return 0;
}
