// exercises.toml, which a course may write.
#include "grader/exercises/ladder.hpp"
#include "grader/fuzz/fuzz.hpp"
#include "grader/sandbox/folder.hpp"
#include "properties/property.hpp"

#include <fstream>

using namespace attest;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const PrivateFolder folder;
  std::filesystem::create_directories(folder.path() / "01-first");
  std::ofstream(folder.path() / "exercises.toml", std::ios::binary) << fuzz::text(data, size);
  try {
    const Ladder ladder = read_ladder(folder.path(), catalogue());
    if (ladder.exercises.empty()) fuzz::found("a ladder without a rung");
    ladder.preferred();
  } catch (const LadderError&) {
  }
  return 0;
}
