// A thousand errors, each with a long name in it.
#define A(x) x x x x x x x x x x
#define WRONG int hostile_hostile_hostile_hostile_hostile_hostile_hostile = undefined_undefined_undefined_undefined;
A(A(A(WRONG)))
bool attack() { return false; }
