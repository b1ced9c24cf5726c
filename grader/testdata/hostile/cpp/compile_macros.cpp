// A text that grows to a billion words.
#define A 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
#define B A, A, A, A, A, A, A, A, A, A
#define C B, B, B, B, B, B, B, B, B, B
#define D C, C, C, C, C, C, C, C, C, C
#define E D, D, D, D, D, D, D, D, D, D
#define F E, E, E, E, E, E, E, E, E, E
#define G F, F, F, F, F, F, F, F, F, F
#define H G, G, G, G, G, G, G, G, G, G
#define I H, H, H, H, H, H, H, H, H, H
int words[] = {I};
bool attack() { return words[0] == 0; }
