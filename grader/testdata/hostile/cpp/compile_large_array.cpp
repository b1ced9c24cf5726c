// A program with a terabyte of zeros in it.
char room[1ull << 40] = {1};
bool attack() { return room[0] == 0; }
