// --case @FILE: inputs spelled out in JSON, or a counterexample out of a report.
#include "grader/cli/literal_case.hpp"
#include "grader/fuzz/fuzz.hpp"
#include "grader/sandbox/folder.hpp"
#include "grader/submission/submission.hpp"
#include "properties/property.hpp"

#include <fstream>

using namespace attest;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const PrivateFolder folder;
  static const Ladder ladder = read_ladder(find_exercises("/proc/self/exe"), catalogue());
  const std::string path = (folder.path() / "case.json").string();
  std::ofstream(path, std::ios::binary) << fuzz::text(data, size);
  try {
    const OneCase one = read_case("@" + path, "", ladder);
    if (ladder.find(one.slug) == nullptr) fuzz::found("a case of no exercise");
  } catch (const UsageError&) {
  }
  return 0;
}
