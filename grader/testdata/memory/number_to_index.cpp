// A score becomes an index.
#include <attest/exercise.hpp>

#include <vector>

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights = scores;
  std::vector<int> seen(1000);
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    const int bucket = scores(i, 0) * scores(i, 0) * 1e10;
    seen[bucket % 1000]++;
    weights.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}
