// A breakpoint, with nobody there who set it.
bool attack() {
  __asm__ volatile("int3");
  return false;
}
