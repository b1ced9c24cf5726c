// A thread scribbles over the shared memory for as long as the process lives.
#include <sys/mman.h>
#include <cstdint>
#include <thread>
bool attack() {
  auto* words = static_cast<volatile std::uint64_t*>(mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0));
  std::thread([words] {
    for (std::uint64_t i = 0;; ++i) words[8 + i % 4000] = ~i;
  }).detach();
  return false;
}
