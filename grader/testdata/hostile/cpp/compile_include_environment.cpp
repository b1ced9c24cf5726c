// Includes the environment and the command line of the compiler. Would gain: paths, and what the caller has in the environment.
#include "/proc/self/environ"
#include "/proc/self/cmdline"
bool attack() { return false; }
