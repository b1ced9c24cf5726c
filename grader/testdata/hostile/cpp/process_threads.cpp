// As many threads as there is room for.
#include <unistd.h>
#include <system_error>
#include <thread>
bool attack() {
  try {
    for (int i = 0; i < 10000; ++i) std::thread([] { sleep(600); }).detach();
  } catch (const std::system_error&) {
  }
  return false;
}
