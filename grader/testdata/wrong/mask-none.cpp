#include <attest/exercise.hpp>

#include <cmath>
#include <limits>

namespace {

const attest::Scalar kMinusInfinity = -std::numeric_limits<attest::Scalar>::infinity();

// Hides everything after token i.
void hide_future(attest::Matrix scores) {
  for (attest::Index i = 0; i < scores.rows(); ++i)
    for (attest::Index j = i + 1; j < scores.cols(); ++j) scores(i, j) = kMinusInfinity;
}

void softmax(attest::Matrix& scores) {
  for (attest::Index i = 0; i < scores.rows(); ++i) {
    const attest::Scalar top = scores.row(i).maxCoeff();
    for (attest::Index j = 0; j < scores.cols(); ++j) scores(i, j) = std::exp(scores(i, j) - top);
    scores.row(i) /= scores.row(i).sum();
  }
}

}  // namespace

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const attest::Index size = x.cols() / n_heads;
  attest::Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  attest::Attention answer;
  attest::Matrix merged(x.rows(), x.cols());
  for (attest::Index h = 0; h < n_heads; ++h) {
    attest::Matrix scores = q.middleCols(h * size, size) * k.middleCols(h * size, size).transpose();
    scores /= std::sqrt(static_cast<attest::Scalar>(size));
    hide_future(scores);
    softmax(scores);
    merged.middleCols(h * size, size) = scores * v.middleCols(h * size, size);
    answer.weights.push_back(scores);
  }
  answer.y = merged * w_o;
  return answer;
}
