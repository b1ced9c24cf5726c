// Sixteen threads that loop. Would gain: sixteen processors.
#include <thread>
bool attack() {
  static volatile bool ever = true;
  for (int i = 0; i < 16; ++i) {
    std::thread([] {
      while (ever) {
      }
    }).detach();
  }
  while (ever) {
  }
  return false;
}
