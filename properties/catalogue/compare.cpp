#include "properties/catalogue/compare.hpp"

#include "properties/drawn.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

std::optional<Evidence> first_difference(const Subject& subject, std::string_view tensor,
                                         const MatrixRef& actual, const MatrixRef& expected,
                                         const MatrixRef& bound) {
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

bool identical(const MatrixRef& a, const MatrixRef& b) { return ((a - b).array() == 0).all(); }

Verdict falsified(Evidence evidence, std::string_view kind, std::size_t question, std::string transform) {
  evidence.kind = kind;
  evidence.question = question;
  evidence.transform = std::move(transform);
  return Verdict::fail(std::move(evidence));
}

std::size_t show_the_wrong_one(Evidence& evidence, std::string_view name, const Tensor& right,
                               const Tensor& first, const Tensor& second) {
  const double wanted = right.at(evidence.index);
  const double one = first.at(evidence.index), other = second.at(evidence.index);
  const std::size_t wrong = std::fabs(other - wanted) < std::fabs(one - wanted) || std::isnan(one) ? 0 : 1;
  evidence.expected = wanted;
  evidence.actual = wrong == 0 ? one : other;
  evidence.error = std::fabs(evidence.actual - wanted);
  evidence.compared[std::string(name)] = {right, wrong == 0 ? first : second};
  return wrong;
}

CaseInputs inputs_of(const Subject& subject, const Case& c) {
  auto arguments = drawn(*subject.spec, c, subject.dtype);
  return {attention_inputs(*arguments), arguments};
}

MatrixView y_of(const Reply& reply) { return get(reply.results, "y").matrix(); }

std::optional<HeadsView> weights_of(const Reply& reply) {
  const Tensor* weights = find(reply.results, "weights");
  if (weights == nullptr) return std::nullopt;
  const Dims& dims = weights->dims;
  const double* data = weights->values.data();
  return dims.size() == 3 ? HeadsView(data, dims[0], dims[1], dims[2])
                          : HeadsView(data, 1, dims.at(0), dims.at(1));
}

double largest_visible_score(const Expected& expected) {
  double largest = 0;
  for (std::size_t g = 0; g < expected.scaled.size(); ++g) {
    for (Index i = 0; i < expected.scaled.rows(); ++i)
      largest = std::max(largest, expected.scaled[g].row(i).head(i + 1).cwiseAbs().maxCoeff());
  }
  return largest;
}

MatrixOf<Wide> wide(const Matrix& m) { return m.cast<Wide>(); }

Matrix values_alone(const Inputs<double>& in) {
  MatrixOf<Wide> values = wide(in.x) * wide(in.w_v);                               // (T, n_heads d_v)
  if (in.has_output_projection()) values = MatrixOf<Wide>(values * wide(in.w_o));  // (T, d_model)
  return values.cast<double>();
}

Heads weight_bounds(const Subject& subject, const Expected& expected) {
  Heads bounds(expected.weight_error.size(),
               Matrix(expected.weight_error.rows(), expected.weight_error.cols()));
  const double tiny =
      precision(subject.dtype)
          .smallest_normal;  // below it a weight counts as zero (Eigen's exp(-inf) is 5.6e-309)
  for (std::size_t g = 0; g < bounds.size(); ++g) {
    for (Index i = 0; i < bounds[g].rows(); ++i) {
      for (Index j = 0; j < bounds[g].cols(); ++j) {
        bounds[g](i, j) = std::max(tiny, weight_bound(subject, expected, g, i, j));
      }
    }
  }
  return bounds;
}

PairBound pair_bound(const Subject& subject, const Expected& expected) {
  const Inputs<double>& in = expected.in;
  const auto peak = [](const Matrix& m) { return m.size() > 0 ? m.cwiseAbs().maxCoeff() : 0.0; };
  const double row = in.x.cwiseAbs().rowwise().sum().maxCoeff();  // |x_i|_1
  const auto d_k = static_cast<double>(in.d_k());
  // |query . key| <= d_k (|x|_1 max|w|)^2, whichever matrices take part, and sqrt(d_k) more if the scale is inverted.
  const double score = d_k * std::sqrt(d_k) * row * row * peak(in.w_q) * std::max(peak(in.w_k), peak(in.w_v));
  const Precision p = precision(subject.dtype);
  const auto terms = static_cast<double>(2 * in.d_model() + in.d_k() + 8 + 20 * in.tokens());
  const double relative = 2 * std::expm1(std::min(1.0, 2 * terms * p.unit_roundoff * (score + 1)));
  PairBound bound{2 * expected.y_error(), weight_bounds(subject, expected), relative};
  // Rows that are not normalised can be as large as their scores: kOrdinaryScore.
  double value = kOrdinaryScore * row * std::max(peak(in.w_v), peak(in.w_k));
  if (in.has_output_projection()) value *= static_cast<double>(in.w_o.rows()) * peak(in.w_o);
  bound.y.array() += relative * value;
  for (Matrix& head : bound.weights) head *= 2;
  return bound;
}

bool has_heads(const Subject& subject) { return subject.spec->argument("n_heads") != nullptr; }
bool has_output_projection(const Subject& subject) { return subject.spec->argument("w_o") != nullptr; }

}  // namespace attest
