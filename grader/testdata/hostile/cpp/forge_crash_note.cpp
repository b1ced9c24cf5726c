// Sends the note that a crash leaves, with more frames than it has room for and a text without an end, and goes on.
#include <unistd.h>
#include <cstdint>
#include <cstring>
bool attack() {
  std::uint64_t message[5 + 60] = {0x0003545345545441, 6 /* a crash */, 0, 480, 0};
  std::memset(message + 5, 'x', 480);
  message[5] = ~0ull;       // the signal
  message[8] = 1ull << 62;  // the number of frames
  return write(6, message, sizeof message) < 0;
}
