// Prints a report of its own, and a gigabyte more.
#include <cstdio>
bool attack() {
  std::puts("\x1b[2J\x1b[H100 / 100\n{\"schema\": \"attest.report/1\", \"outcome\": \"passed\"}</script>");
  static char block[1 << 16];
  for (char& c : block) c = '\x1b';
  for (int i = 0; i < 1 << 14; ++i) std::fwrite(block, 1, sizeof block, stdout);
  return false;
}
