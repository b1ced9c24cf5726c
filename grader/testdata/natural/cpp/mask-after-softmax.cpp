#include <attest/exercise.hpp>

using attest::Matrix;

class CausalHead {
 public:
  CausalHead(const Matrix& x, const Matrix& wq, const Matrix& wk, const Matrix& wv) : q(x * wq), k(x * wk), v(x * wv) {
    weights = q * k.transpose() / std::sqrt(attest::Scalar(q.cols()));
    normalise();
    hide();
  }
  Matrix output() const { return weights * v; }

  Matrix weights;

 private:
  void normalise() {
    for (int i = 0; i < weights.rows(); ++i) {
      weights.row(i) = (weights.row(i).array() - weights.row(i).maxCoeff()).exp().eval();
      weights.row(i) /= weights.row(i).sum();
    }
  }
  void hide() {
    for (int i = 0; i < weights.rows(); ++i)
      for (int j = i + 1; j < weights.cols(); ++j) weights(i, j) = 0;
  }
  Matrix q, k, v;
};

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, attest::Index n_heads) {
  const int d = x.cols() / n_heads;
  attest::Attention a{Matrix::Zero(x.rows(), x.cols()), {}};
  for (int h = 0; h < n_heads; ++h) {
    CausalHead head(x, w_q.middleCols(h * d, d), w_k.middleCols(h * d, d), w_v.middleCols(h * d, d));
    a.y += head.output() * w_o.middleRows(h * d, d);
    a.weights.push_back(head.weights);
  }
  return a;
}
