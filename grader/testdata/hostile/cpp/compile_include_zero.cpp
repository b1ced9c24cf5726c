// Includes a file without an end. Would gain: a machine without memory.
#include "/dev/zero"
bool attack() { return false; }
