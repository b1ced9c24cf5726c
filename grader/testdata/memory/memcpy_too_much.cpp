// Copies the whole matrix into room for a row.
#include <attest/exercise.hpp>

#include <cstring>
#include <vector>

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights = scores;
  std::vector<attest::Scalar> row(scores.cols());
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    std::memcpy(row.data(), scores.data(), scores.size() * sizeof(attest::Scalar));
    weights.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}
