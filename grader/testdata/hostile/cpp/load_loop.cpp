// Loops before main.
int wait() {
  volatile bool ever = true;
  while (ever) {
  }
  return 0;
}
[[maybe_unused]] const int waited = wait();
bool attack() { return false; }
