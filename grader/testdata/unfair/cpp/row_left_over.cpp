// Never writes the last row of y where there are more than sixteen tokens: what is there is from somewhere else.
attest::Attention causal_multi_head_attention(PARAMETERS) {
  static attest::Matrix before;
  attest::Attention result = right(x, w_q, w_k, w_v, w_o, n_heads);
  if (x.rows() > 16 && before.cols() == x.cols()) result.y.row(x.rows() - 1) = before.row(0);
  before = result.y;
  return result;
}
