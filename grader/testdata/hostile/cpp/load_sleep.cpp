// Sleeps before main, where no call is timed yet.
#include <unistd.h>
[[maybe_unused]] const int slept = (sleep(1000000), 0);
bool attack() { return false; }
