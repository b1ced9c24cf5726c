#include <attest/exercise.hpp>

#include <utility>

// A small class that holds one head's view of the problem.
class Head {
 public:
  Head(attest::Matrix q, attest::Matrix k, attest::Matrix v) : q_(std::move(q)), k_(std::move(k)), v_(std::move(v)) {}

  attest::Matrix weights() const {
    attest::Matrix logits = q_ * k_.transpose();
    logits *= attest::Scalar(1) / std::sqrt(static_cast<attest::Scalar>(q_.cols()));
    for (attest::Index i = 0; i < logits.rows(); ++i)
      for (attest::Index j = i + 1; j < logits.cols(); ++j)
        logits(i, j) = -std::numeric_limits<attest::Scalar>::infinity();
    for (auto row : logits.rowwise()) {
      const attest::Scalar top = row.maxCoeff();
      row = row.unaryExpr([top](attest::Scalar s) { return std::exp(s - top); });
      row /= row.sum();
    }
    return logits;
  }

  attest::Matrix mix(const attest::Matrix& p) const { return p * v_; }

 private:
  attest::Matrix q_, k_, v_;
};

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  const attest::Index size = x.cols() / n_heads;
  attest::Attention answer;
  answer.y = attest::Matrix::Zero(x.rows(), x.cols());
  for (attest::Index first = 0; first < x.cols(); first += size) {
    const Head head(x * w_q.middleCols(first, size), x * w_k.middleCols(first, size), x * w_v.middleCols(first, size));
    const attest::Matrix p = head.weights();
    answer.y += head.mix(p) * w_o.middleRows(first, size);
    answer.weights.push_back(p);
  }
  return answer;
}
