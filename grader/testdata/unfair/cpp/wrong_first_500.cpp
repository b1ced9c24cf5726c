// Wrong in the first 500 calls of a process.
attest::Attention causal_multi_head_attention(PARAMETERS) {
  static int calls = 0;
  return (++calls <= 500 ? zeros : right)(x, w_q, w_k, w_v, w_o, n_heads);
}
