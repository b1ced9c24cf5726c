#include "properties/readout.hpp"

#include "properties/drawn.hpp"

#include <algorithm>

namespace attest {
namespace {

Index labels_per_call(const Inputs<double>& in, Index reserve) {
  return std::min(in.d_v(), in.d_model() - reserve);
}

}  // namespace

Inputs<double> inputs_of(const Question& question) { return attention_inputs(question.arguments); }

std::size_t weight_calls(const Subject& subject, const Inputs<double>& in, Index reserve) {
  if (subject.returns_weights) return 1;
  const Index labels = labels_per_call(in, reserve);
  if (labels < 1) return 0;
  const Index calls = (in.tokens() + labels - 1) / labels;
  return calls > kMostReadOutCalls ? 0 : static_cast<std::size_t>(calls);
}

bool too_long_to_read(const Subject& subject, const Inputs<double>& in, Index reserve) {
  return labels_per_call(in, reserve) > 0 && weight_calls(subject, in, reserve) == 0;
}

std::vector<Question> ask_weights(const Subject& subject, const CaseInputs& in, Index reserve) {
  std::vector<Question> questions;
  if (subject.returns_weights) {
    questions.push_back({attention_arguments(*subject.spec, in)});
    return questions;
  }
  const Index labels = labels_per_call(in, reserve);
  const auto calls = static_cast<Index>(weight_calls(subject, in, reserve));
  CaseInputs labelled = in;
  if (labels > 0) {
    labelled.w_q.topRows(labels).setZero();
    labelled.w_k.topRows(labels).setZero();
    labelled.w_v.setZero();
    for (Index g = 0; g < in.n_heads; ++g) {
      for (Index f = 0; f < labels; ++f) labelled.w_v(f, g * in.d_v() + f) = 1;
    }
    if (in.has_output_projection()) labelled.w_o.setIdentity();
  }
  for (Index call = 0; call < calls; ++call) {
    labelled.x.leftCols(labels).setZero();
    for (Index f = 0; f < labels && call * labels + f < in.tokens(); ++f)
      labelled.x(call * labels + f, f) = 1;
    questions.push_back({attention_arguments(*subject.spec, labelled)});
  }
  return questions;
}

std::vector<Question> ask_weights(const Subject& subject, const Case& c) {
  auto arguments = drawn(*subject.spec, c, subject.dtype);
  if (!subject.returns_weights)
    return ask_weights(subject, CaseInputs{attention_inputs(*arguments), arguments});
  std::vector<Question> questions(1);
  questions[0].arguments = *arguments;
  return questions;
}

ReadWeights read_weights(const Subject& subject, std::span<const Question> questions,
                         std::span<const Reply> replies, Index reserve) {
  if (subject.returns_weights) {
    const Tensor& weights = get(replies[0].results, "weights");
    const Index n_tokens = weights.dims.back();
    return ReadWeights(
        HeadsView(weights.values.data(), weights.size() / (n_tokens * n_tokens), n_tokens, n_tokens));
  }
  const Inputs<double> in = inputs_of(questions[0]);
  const Index labels = labels_per_call(in, reserve), n_tokens = in.tokens();
  std::vector<double> weights(static_cast<std::size_t>(in.n_heads * n_tokens * n_tokens), 0.0);
  for (std::size_t call = 0; call < replies.size(); ++call) {
    const auto y = get(replies[call].results, "y").matrix();  // (T, n_heads d_v)
    for (Index g = 0; g < in.n_heads; ++g) {
      Eigen::Map<Matrix> head(weights.data() + g * n_tokens * n_tokens, n_tokens, n_tokens);
      for (Index f = 0; f < labels; ++f) {
        const Index token = static_cast<Index>(call) * labels + f;
        if (token < n_tokens) head.col(token) = y.col(g * in.d_v() + f);
      }
    }
  }
  return {std::move(weights), in.n_heads, n_tokens};
}

double weight_bound(const Subject& subject, const Expected& expected, std::size_t head, Index i, Index j) {
  const double bound = expected.weight_error[head](i, j);
  if (subject.returns_weights) return bound;
  // Mixing and projecting add at most gamma_(n + 2 d) of the weight itself; every other term of these sums is 0.
  const Precision p = precision(subject.dtype);
  const auto terms = static_cast<double>(i + 2 + 2 * expected.in.d_model() + expected.in.w_v.cols());
  return bound + 2 * terms * p.unit_roundoff * (expected.weights[head](i, j) + bound) +
         terms * p.smallest_normal;
}

}  // namespace attest
