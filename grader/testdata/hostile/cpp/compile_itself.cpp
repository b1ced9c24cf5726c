// Includes itself, by the name that it has for the compiler.
#include "submission.cpp"
bool attack() { return false; }
