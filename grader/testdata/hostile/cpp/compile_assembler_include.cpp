// Lets the assembler read a file as assembly. Would gain: its text in the messages.
__asm__(".include \"/etc/passwd\"");
bool attack() { return false; }
