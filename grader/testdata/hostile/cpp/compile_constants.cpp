// A constant that takes for ever to compute.
constexpr unsigned long work(unsigned long n, unsigned long depth) {
  for (unsigned long i = 0; i < 60000 && depth > 0; ++i) n += work(i, depth - 1);
  return n;
}
constexpr unsigned long result = work(1, 200);
bool attack() { return result == 0; }
