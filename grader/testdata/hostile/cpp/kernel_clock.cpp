// Sets the machine's clock to what it is.
#include <sys/time.h>
bool attack() {
  timeval now{};
  gettimeofday(&now, nullptr);
  return settimeofday(&now, nullptr) == 0;
}
