// A buffer of fixed size, used through a pointer.
#include <attest/exercise.hpp>

static double exponentials(const attest::Matrix& scores, attest::Index i, double* e) {
  double sum = 0;
  for (attest::Index j = 0; j < scores.cols(); ++j) {
    e[j] = std::exp(scores(i, j) - scores.row(i).maxCoeff());
    sum += e[j];
  }
  return sum;
}

attest::Matrix softmax(const attest::Matrix& scores) {
  attest::Matrix weights(scores.rows(), scores.cols());
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    double buffer[3];
    const double sum = exponentials(scores, i, buffer);
    for (attest::Index j = 0; j < scores.cols(); ++j) weights(i, j) = *(buffer + j) / sum;
  }
  return weights;
}
