// Announces 2^64 - 8 bytes.
#include <unistd.h>
#include <cstdint>
bool attack() {
  const std::uint64_t message[] = {0x0003545345545441, 4 /* an answer */, 0, ~7ull, 1};
  return write(6, message, sizeof message) < 0;
}
