// Sleeps.
#include <unistd.h>
bool attack() {
  sleep(1000000);
  return false;
}
