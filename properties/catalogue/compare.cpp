#include "properties/catalogue/compare.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

std::optional<Evidence> first_difference(const Subject& subject, std::string_view tensor,
                                         const Matrix& actual, const Matrix& expected, const Matrix& bound) {
  for (Index i = 0; i < expected.rows(); ++i) {
    for (Index j = 0; j < expected.cols(); ++j) {
      const double error = std::fabs(actual(i, j) - expected(i, j));
      if (within(subject, actual(i, j), error, bound(i, j))) continue;
      Evidence e;
      e.tensor = tensor;
      e.index = {i, j};
      e.expected = expected(i, j);
      e.actual = actual(i, j);
      e.error = error;
      e.bound = bound(i, j);
      return e;
    }
  }
  return std::nullopt;
}

std::optional<Evidence> first_difference(const Subject& subject, std::string_view tensor, const Heads& actual,
                                         const Heads& expected, const Heads& bound) {
  for (std::size_t g = 0; g < expected.size(); ++g) {
    if (auto e = first_difference(subject, tensor, actual[g], expected[g], bound[g])) {
      e->index.insert(e->index.begin(), static_cast<Index>(g));
      return e;
    }
  }
  return std::nullopt;
}

Verdict falsified(Evidence evidence, std::string_view kind, std::size_t question, std::string transform) {
  evidence.kind = kind;
  evidence.question = question;
  evidence.transform = std::move(transform);
  return Verdict::fail(std::move(evidence));
}

void show(Evidence& evidence, std::string_view name, const Matrix& expected, const Matrix& actual) {
  evidence.compared[std::string(name)] = {Tensor::from(expected), Tensor::from(actual)};
}

void show(Evidence& evidence, std::string_view name, const Heads& expected, const Heads& actual) {
  evidence.compared[std::string(name)] = {Tensor::from(expected), Tensor::from(actual)};
}

namespace {

double element(const Matrix& m, const std::vector<Index>& at) { return m(at[0], at[1]); }

double element(const Heads& heads, const std::vector<Index>& at) {
  return heads[static_cast<std::size_t>(at[0])](at[1], at[2]);
}

template <class Answers>
std::size_t the_wrong_one(Evidence& evidence, std::string_view name, const Answers& right,
                          const Answers& first, const Answers& second) {
  const double wanted = element(right, evidence.index);
  const double one = element(first, evidence.index), other = element(second, evidence.index);
  const std::size_t wrong = std::fabs(other - wanted) < std::fabs(one - wanted) || std::isnan(one) ? 0 : 1;
  evidence.expected = wanted;
  evidence.actual = wrong == 0 ? one : other;
  evidence.error = std::fabs(evidence.actual - wanted);
  show(evidence, name, right, wrong == 0 ? first : second);
  return wrong;
}

}  // namespace

std::size_t show_the_wrong_one(Evidence& evidence, std::string_view name, const Matrix& right,
                               const Matrix& first, const Matrix& second) {
  return the_wrong_one(evidence, name, right, first, second);
}

std::size_t show_the_wrong_one(Evidence& evidence, std::string_view name, const Heads& right,
                               const Heads& first, const Heads& second) {
  return the_wrong_one(evidence, name, right, first, second);
}

Inputs<double> inputs_of(const Subject& subject, const Case& c) {
  return attention_inputs(materialise(*subject.spec, c, subject.dtype));
}

Question ask(const Subject& subject, const Inputs<double>& in) {
  return {attention_arguments(*subject.spec, in)};
}

Matrix y_of(const Reply& reply) { return get(reply.results, "y").matrix(); }

std::optional<Heads> weights_of(const Reply& reply) {
  const Tensor* weights = find(reply.results, "weights");
  if (weights == nullptr) return std::nullopt;
  return weights->dims.size() == 3 ? weights->heads() : Heads{weights->matrix()};
}

double largest_visible_score(const Expected& expected) {
  double largest = 0;
  for (const auto& head : expected.trace.scaled) {
    for (Index i = 0; i < head.rows(); ++i)
      largest = std::max(largest, head.row(i).head(i + 1).cwiseAbs().maxCoeff());
  }
  return largest;
}

MatrixOf<Wide> wide(const Matrix& m) { return m.cast<Wide>(); }

Heads weight_bounds(const Subject& subject, const Inputs<double>& in, const Expected& expected) {
  Heads bounds = expected.weight_error;
  const double tiny =
      precision(subject.dtype)
          .smallest_normal;  // below it a weight counts as zero (Eigen's exp(-inf) is 5.6e-309)
  for (std::size_t g = 0; g < bounds.size(); ++g) {
    for (Index i = 0; i < bounds[g].rows(); ++i) {
      for (Index j = 0; j < bounds[g].cols(); ++j) {
        bounds[g](i, j) = std::max(tiny, weight_bound(subject, in, expected, g, i, j));
      }
    }
  }
  return bounds;
}

PairBound pair_bound(const Subject& subject, const Inputs<double>& in, const Expected& expected,
                     const std::optional<Heads>& first, const std::optional<Heads>& second) {
  const auto peak = [](const Matrix& m) {
    return static_cast<double>(m.size() ? m.cwiseAbs().maxCoeff() : 0);
  };
  const double row = static_cast<double>(in.x.cwiseAbs().rowwise().sum().maxCoeff());  // |x_i|_1
  const auto d_k = static_cast<double>(in.d_k());
  // |query . key| <= d_k (|x|_1 max|w|)^2, whichever matrices take part, and sqrt(d_k) more if the scale is inverted.
  const double score = d_k * std::sqrt(d_k) * row * row * peak(in.w_q) * std::max(peak(in.w_k), peak(in.w_v));
  const Precision p = precision(subject.dtype);
  const auto terms = static_cast<double>(2 * in.d_model() + in.d_k() + 8 + 20 * in.tokens());
  const double relative = 2 * std::expm1(std::min(1.0, 2 * terms * p.unit_roundoff * (score + 1)));
  PairBound bound{2 * expected.y_error, weight_bounds(subject, in, expected)};
  // Rows that are not normalised can be as large as their scores: kOrdinaryScore.
  double value = static_cast<double>(kOrdinaryScore) * row * std::max(peak(in.w_v), peak(in.w_k));
  if (in.has_output_projection()) value *= static_cast<double>(in.w_o.rows()) * peak(in.w_o);
  bound.y.array() += relative * value;
  for (std::size_t g = 0; g < bound.weights.size(); ++g) {
    bound.weights[g] *= 2;
    for (const auto* side : {&first, &second}) {
      if (*side) bound.weights[g] += relative * (**side)[g].cwiseAbs();
    }
  }
  return bound;
}

bool has_heads(const Subject& subject) { return subject.spec->argument("n_heads") != nullptr; }
bool has_output_projection(const Subject& subject) { return subject.spec->argument("w_o") != nullptr; }

}  // namespace attest
