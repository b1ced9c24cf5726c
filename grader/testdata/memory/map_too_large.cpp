// The Map says T rows, and the vector holds one.
#include <attest/exercise.hpp>

#include <vector>

attest::Matrix softmax(const attest::Matrix& scores) {
  const attest::Index T = scores.rows(), S = scores.cols();
  std::vector<attest::Scalar> values(S);
  Eigen::Map<attest::Matrix> weights(values.data(), T, S);
  for (attest::Index i = 0; i < T; ++i) {
    for (attest::Index j = 0; j < S; ++j) weights(i, j) = std::exp(scores(i, j) - scores.row(i).maxCoeff());
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}
