// Templates that unfold without an end. Would gain: a machine that does nothing else.
template <unsigned long N, unsigned long M>
struct Tree {
  static constexpr unsigned long value = Tree<N - 1, 2 * M>::value + Tree<N - 1, 2 * M + 1>::value;
};
template <unsigned long M>
struct Tree<0, M> {
  static constexpr unsigned long value = 1;
};
bool attack() { return Tree<200, 1>::value == 0; }
