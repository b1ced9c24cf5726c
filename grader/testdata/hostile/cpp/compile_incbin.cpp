// Lets the assembler put a file into the program. Would gain: any file that the compiler may read, at run time.
#include <cstring>
__asm__(".section .rodata\n.global hostile_text, hostile_end\nhostile_text: .incbin \"/etc/passwd\"\nhostile_end: .byte 0\n.text\n");
extern "C" const char hostile_text[], hostile_end[];
bool attack() { return hostile_end - hostile_text > 4 && std::strstr(hostile_text, "root") != nullptr; }
