// Where every score is below -1000, `best` is never set.
#include <attest/exercise.hpp>

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights = scores;
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    attest::Index best;
    double top = 0;
    for (attest::Index j = 0; j < scores.cols(); ++j)
      if (scores(i, j) > top) top = scores(i, j), best = j;
    const double* row = scores.data() + i * scores.cols();
    weights.row(i) = (scores.row(i).array() - row[best]).exp();
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}
