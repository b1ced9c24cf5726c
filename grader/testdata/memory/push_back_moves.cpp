// `first` refers into the vector, which moves when it grows.
#include <attest/exercise.hpp>

attest::Heads split_heads(const attest::Matrix& x, attest::Index n_heads) {
  const attest::Index width = x.cols() / n_heads;
  attest::Heads heads;
  heads.push_back(attest::Matrix::Zero(x.rows(), width));
  attest::Matrix& first = heads[0];
  for (attest::Index h = 1; h < n_heads; ++h) heads.push_back(x.middleCols(h * width, width));
  for (attest::Index i = 0; i < x.rows(); ++i)
    for (attest::Index j = 0; j < width; ++j) first(i, j) = x(i, j);
  return heads;
}

attest::Matrix merge_heads(const attest::Heads& heads) {
  const attest::Index width = heads[0].cols();
  attest::Matrix x(heads[0].rows(), width * attest::Index(heads.size()));
  for (std::size_t h = 0; h < heads.size(); ++h) x.middleCols(attest::Index(h) * width, width) = heads[h];
  return x;
}
