// Throws what is no exception.
bool attack() { throw 42; }
