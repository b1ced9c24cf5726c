// Recurses without an end, and has taken away the stack on which that would be noticed.
#include <csignal>
__attribute__((noinline)) int deeper(volatile int* above) {
  volatile int here[1000];
  here[0] = *above;
  return deeper(here) + here[0];
}
bool attack() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  volatile int start = 0;
  return deeper(&start) != 0;
}
