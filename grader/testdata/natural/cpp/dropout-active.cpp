#include <attest/exercise.hpp>

#include <random>

using namespace attest;

static std::mt19937 generator(42);

static void dropout(Matrix& m, double rate) {
  std::bernoulli_distribution drop(rate);
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      m(i, j) = drop(generator) ? Scalar(0) : m(i, j) / Scalar(1 - rate);
}

Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                      const Matrix& w_o, Index n_heads) {
  const Index d = x.cols() / n_heads;
  Matrix merged(x.rows(), x.cols());
  Heads weights;
  for (Index h = 0; h < n_heads; ++h) {
    const Matrix q = x * w_q.middleCols(h * d, d), k = x * w_k.middleCols(h * d, d);
    Matrix a = q * k.transpose() / std::sqrt(Scalar(d));
    a.triangularView<Eigen::StrictlyUpper>().setConstant(-std::numeric_limits<Scalar>::infinity());
    for (auto row : a.rowwise()) {
      row = (row.array() - row.maxCoeff()).exp().matrix().eval();
      row /= row.sum();
    }
    dropout(a, 0.2);
    merged.middleCols(h * d, d) = a * (x * w_v.middleCols(h * d, d));
    weights.push_back(a);
  }
  return {merged * w_o, weights};
}
