// Takes memory until there is none.
#include <cstring>
#include <new>
bool attack() {
  for (int i = 0; i < 40; ++i) std::memset(new char[64 << 20], 1, 64 << 20);
  return true;
}
