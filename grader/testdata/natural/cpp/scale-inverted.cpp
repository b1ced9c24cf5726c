#include <attest/exercise.hpp>

#include <vector>

using attest::Index;
using attest::Matrix;

attest::Attention causal_multi_head_attention(const Matrix& x, const Matrix& w_q, const Matrix& w_k, const Matrix& w_v,
                                              const Matrix& w_o, Index n_heads) {
  const Matrix q = x * w_q, k = x * w_k, v = x * w_v;
  const Index len = x.rows();
  const Index hd = x.cols() / n_heads;
  const double scale = std::sqrt(double(hd));

  attest::Attention ans;
  ans.y = Matrix::Zero(len, x.cols());
  for (Index h = 0; h < n_heads; ++h) {
    Matrix p = Matrix::Zero(len, len);
    for (Index i = 0; i < len; ++i) {
      std::vector<double> s(i + 1);
      double best = -1e300, sum = 0;
      for (Index j = 0; j <= i; ++j) {
        s[j] = scale * q.row(i).segment(h * hd, hd).dot(k.row(j).segment(h * hd, hd));
        best = std::max(best, s[j]);
      }
      for (double& e : s) sum += (e = std::exp(e - best));
      for (Index j = 0; j <= i; ++j) p(i, j) = s[j] / sum;
    }
    ans.y += p * v.middleCols(h * hd, hd) * w_o.middleRows(h * hd, hd);
    ans.weights.push_back(p);
  }
  return ans;
}
