// A table for all calls, filled through an iterator that does not look where it ends.
#include <attest/exercise.hpp>

static double table[4];

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights(scores.rows(), scores.cols());
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    double* next = table;
    double sum = 0;
    for (attest::Index j = 0; j < scores.cols(); ++j, ++next) {
      *next = std::exp(scores(i, j) - scores.row(i).maxCoeff());
      sum += *next;
    }
    for (attest::Index j = 0; j < scores.cols(); ++j) weights(i, j) = table[j] / sum;
  }
  return weights;
}
