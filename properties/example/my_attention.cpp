// An attention function written with plain loops, and the one line that holds it to every property of the catalogue.
#include <attest/properties/suite.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using Index = Eigen::Index;

attest::Answer<double> my_attention(const attest::Inputs<double>& in) {
  const Index n_tokens = in.x.rows();
  const Index d_head = in.w_q.cols() / in.n_heads;
  const Index d_value = in.w_v.cols() / in.n_heads;
  const auto q = (in.x * in.w_q).eval();  // (T, n_heads d_head)
  const auto k = (in.x * in.w_k).eval();  // (T, n_heads d_head)
  const auto v = (in.x * in.w_v).eval();  // (T, n_heads d_value)

  attest::Answer<double> out;
  out.y.setZero(n_tokens,
                in.w_v.cols());  // (T, n_heads d_value): the heads side by side, projected at the end
  for (Index head = 0; head < in.n_heads; ++head) {
    out.weights.emplace_back();
    out.weights.back().setZero(n_tokens, n_tokens);  // (T, T)
    for (Index i = 0; i < n_tokens; ++i) {
      // Token i sees the tokens 0 ... i; the others are never looked at, so they need no mask.
      std::vector<double> score(static_cast<std::size_t>(i) + 1);  // (i + 1)
      for (Index j = 0; j <= i; ++j) {
        double dot = 0;
        for (Index c = head * d_head; c < (head + 1) * d_head; ++c) dot += q(i, c) * k(j, c);
        score[static_cast<std::size_t>(j)] = dot / std::sqrt(static_cast<double>(d_head));
      }
      const double peak = *std::max_element(score.begin(), score.end());
      double sum = 0;
      for (double& s : score) sum += s = std::exp(s - peak);
      for (Index j = 0; j <= i; ++j) {
        const double weight = score[static_cast<std::size_t>(j)] / sum;
        out.weights.back()(i, j) = weight;
        for (Index c = head * d_value; c < (head + 1) * d_value; ++c) out.y(i, c) += weight * v(j, c);
      }
    }
  }
  if (in.w_o.size() > 0) out.y = (out.y * in.w_o).eval();  // (T, d_model)
  return out;
}

}  // namespace

ATTEST_SUITE(MyAttention, my_attention)
