// A target without libFuzzer: `NAME_replay CORPUS [ROUNDS]` runs every file of the corpus, and ROUNDS variations of each that a fixed
// seed draws. Finds little that libFuzzer would not; holds in every build that what was found once stays found.
#include "grader/fuzz/fuzz.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace {

using Input = std::vector<std::uint8_t>;

Input varied(Input bytes, std::mt19937& random) {
  const auto draw = [&](std::size_t below) {
    return static_cast<std::size_t>(random()) % std::max<std::size_t>(below, 1);
  };
  for (std::size_t edits = 1 + draw(4); edits > 0; --edits) {
    const std::size_t at = draw(bytes.size()), n = draw(16);
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(std::min(at, bytes.size()));
    switch (draw(5)) {
      case 0:  // a byte
        if (!bytes.empty()) bytes[at] = static_cast<std::uint8_t>(random());
        break;
      case 1:  // a bit
        if (!bytes.empty()) bytes[at] ^= static_cast<std::uint8_t>(1u << draw(8));
        break;
      case 2:  // cut out
        bytes.erase(place,
                    place + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(n), bytes.end() - place));
        break;
      case 3:  // cut off
        bytes.erase(place, bytes.end());
        break;
      case 4: {  // said twice
        const Input part(
            place, place + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(n), bytes.end() - place));
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(draw(bytes.size() + 1)), part.begin(),
                     part.end());
        break;
      }
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::mt19937 random(1);
  long runs = 0;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const Input bytes{std::istreambuf_iterator<char>(file), {}};
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    for (int i = 0; i < rounds; ++i, ++runs) {
      const Input other = varied(bytes, random);
      LLVMFuzzerTestOneInput(other.data(), other.size());
    }
  }
  std::printf("%zu files, %ld variations\n", files.size(), runs);
  return files.empty() ? 1 : 0;  // a corpus that is not found must not pass
}
