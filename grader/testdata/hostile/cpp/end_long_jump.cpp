// Jumps out of the function into another call's frame, which is gone.
#include <csetjmp>
jmp_buf place;
__attribute__((noinline)) int mark() { return setjmp(place); }
bool attack() {
  static int jumps = 0;
  mark();
  if (++jumps < 100) longjmp(place, 1);
  return false;
}
