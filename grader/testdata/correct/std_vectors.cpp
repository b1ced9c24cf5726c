#include <attest/exercise.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using Table = std::vector<std::vector<double>>;

static Table to_table(const attest::Matrix& m) {
  Table t(m.rows(), std::vector<double>(m.cols()));
  for (int i = 0; i < m.rows(); i++)
    for (int j = 0; j < m.cols(); j++) t[i][j] = m(i, j);
  return t;
}

static attest::Matrix to_matrix(const Table& t) {
  attest::Matrix m(t.size(), t[0].size());
  for (size_t i = 0; i < t.size(); i++)
    for (size_t j = 0; j < t[i].size(); j++) m(i, j) = t[i][j];
  return m;
}

static Table multiply(const Table& a, const Table& b) {
  Table c(a.size(), std::vector<double>(b[0].size(), 0.0));
  for (size_t i = 0; i < a.size(); i++)
    for (size_t k = 0; k < b.size(); k++)
      for (size_t j = 0; j < b[0].size(); j++) c[i][j] += a[i][k] * b[k][j];
  return c;
}

attest::Attention causal_multi_head_attention(const attest::Matrix& x, const attest::Matrix& w_q,
                                              const attest::Matrix& w_k, const attest::Matrix& w_v,
                                              const attest::Matrix& w_o, attest::Index n_heads) {
  Table xs = to_table(x);
  Table q = multiply(xs, to_table(w_q));
  Table k = multiply(xs, to_table(w_k));
  Table v = multiply(xs, to_table(w_v));
  const size_t T = xs.size(), d = xs[0].size(), dh = d / n_heads;

  Table heads(T, std::vector<double>(d, 0.0));
  attest::Heads weights;
  for (size_t h = 0; h < size_t(n_heads); h++) {
    Table w(T, std::vector<double>(T, 0.0));
    for (size_t i = 0; i < T; i++) {
      std::vector<double> s;
      for (size_t j = 0; j <= i; j++) {
        double dot = 0;
        for (size_t c = 0; c < dh; c++) dot += q[i][h * dh + c] * k[j][h * dh + c];
        s.push_back(dot / std::sqrt(double(dh)));
      }
      const double top = *std::max_element(s.begin(), s.end());
      double total = 0;
      for (double& e : s) total += e = std::exp(e - top);
      for (size_t j = 0; j <= i; j++) {
        w[i][j] = s[j] / total;
        for (size_t c = 0; c < dh; c++) heads[i][h * dh + c] += w[i][j] * v[j][h * dh + c];
      }
    }
    weights.push_back(to_matrix(w));
  }
  return {to_matrix(multiply(heads, to_table(w_o))), weights};
}
