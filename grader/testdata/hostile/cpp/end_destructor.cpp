// Leaves through exit(), and loops in a destructor.
#include <cstdlib>
struct Endless {
  ~Endless() {
    volatile bool ever = true;
    while (ever) {
    }
  }
} last;
bool attack() { std::exit(0); }
