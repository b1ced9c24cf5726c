#include <attest/exercise.hpp>

using attest::Heads;
using attest::Index;
using attest::Matrix;

attest::Heads split_heads(const Matrix& x, Index n_heads) {
  const Index d_head = x.cols() / n_heads;

  Heads heads;                                                         // n_heads × (T, d_head)
  for (Index g = 0; g < n_heads; ++g)
    heads.emplace_back(x.middleCols(g * d_head, d_head));              // (T, d_head)
  return heads;
}

attest::Matrix merge_heads(const Heads& heads) {
  const Index T = heads.front().rows();
  const Index d_head = heads.front().cols();

  Matrix x(T, d_head * Index(heads.size()));                           // (T, d_model) every column is written below
  Index first = 0;                                                     // the first column that the head owns
  for (const Matrix& head : heads) {
    x.middleCols(first, d_head) = head;                                // (T, d_head)
    first += d_head;
  }
  return x;
}
