// Sixteen gigabytes from the assembler. Would gain: a full disk.
__asm__(".section .data\n.fill 0x400000000, 1, 65\n.text\n");
bool attack() { return false; }
