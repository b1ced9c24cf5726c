// Includes a file of the machine. Would gain: its text in the compiler's messages.
#include "/etc/passwd"
bool attack() { return false; }
