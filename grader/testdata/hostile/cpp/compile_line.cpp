// Claims that the next line is one of another file. Would gain: g++ quotes that file in its message.
#line 1 "/etc/passwd"
#error this is a line of that file
bool attack() { return false; }
