// Takes memory until there is none.
#include <cstring>
#include <new>
static char* volatile taken;  // so that no compiler can leave it out
bool attack() {
  for (int i = 0; i < 40; ++i) {
    taken = new char[64 << 20];
    std::memset(taken, 1, 64 << 20);
  }
  return true;
}
