// Asks how old a file is, by the way of a pragma.
#pragma GCC dependency "/etc/passwd"
bool attack() { return false; }
