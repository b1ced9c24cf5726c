#include "properties/right.hpp"

#include "properties/catalogue/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attest {

std::vector<double> flat(const Eigen::Ref<const Matrix>& m) {
  const Numbers numbers = Tensor::from(m).values;
  return {numbers.begin(), numbers.end()};
}

std::vector<double> flat(const Heads& heads) {
  std::vector<double> all;
  for (const Matrix& head : heads) all.insert(all.end(), head.data(), head.data() + head.size());
  return all;
}

namespace {

Right attention(const Subject& subject, const Question& question) {
  const auto expected = recall(question, subject);
  Right right;
  right.largest_score = largest_visible_score(*expected);
  right.results.push_back({"y", resolve(subject.spec->result("y")->dims, *subject.spec, question.arguments),
                           flat(expected->y()), flat(expected->y_error())});
  if (const ResultSpec* weights = subject.spec->result("weights")) {
    right.results.push_back({"weights", resolve(weights->dims, *subject.spec, question.arguments),
                             expected->weights.flat(), flat(weight_bounds(subject, *expected))});
  }
  return right;
}

Right softmax(const Subject& subject, const Question& question) {
  const Tensor& scores = get(question.arguments, "scores");
  const ExpectedSoftmax expected = expect_softmax(scores.matrix(), subject.dtype);
  return {{{"weights", scores.dims, flat(expected.weights), flat(expected.weight_error)}}, 0};
}

Right causal_mask(const Subject&, const Question& question) {
  const Arguments& arguments = question.arguments;
  const Index n = get_integer(arguments, "n_tokens", 1);
  Matrix mask = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    mask.row(i).tail(n - i - 1).setConstant(-std::numeric_limits<double>::infinity());
  return {{{"mask", {n, n}, flat(mask), flat(Matrix::Zero(n, n))}}, 0};
}

Right heads(const Subject&, const Question& question) {
  const Arguments& arguments = question.arguments;
  Right right;
  if (const Tensor* x = find(arguments, "x")) {
    const Index n_heads = get_integer(arguments, "n_heads", 1);
    const Heads split = split_heads<double>(x->matrix(), n_heads);
    right.results.push_back({"heads", {n_heads, x->dims[0], x->dims[1] / n_heads}, flat(split), {}});
  } else {
    const Tensor& parts = get(arguments, "heads");
    const Matrix merged = merge_heads<double>(parts.heads());
    right.results.push_back({"merged", {merged.rows(), merged.cols()}, flat(merged), {}});
  }
  right.results[0].bounds.assign(right.results[0].values.size(), 0);
  return right;
}

struct Family {
  std::string_view subject;
  Right (*right)(const Subject& subject, const Question& question);
};

constexpr std::array<Family, 4> kFamilies = {
    {{"attention", attention}, {"softmax", softmax}, {"causal-mask", causal_mask}, {"heads", heads}}};

Tensor narrow(const Right::Result& result) { return {result.dims, result.values}; }

}  // namespace

const Right::Result* Right::find(std::string_view name) const {
  const auto it =
      std::find_if(results.begin(), results.end(), [&](const Result& r) { return r.name == name; });
  return it == results.end() ? nullptr : &*it;
}

std::optional<Right> right_answer(const Subject& subject, const Question& question) {
  for (const Family& family : kFamilies) {
    if (family.subject == subject.spec->subject) return family.right(subject, question);
  }
  return std::nullopt;
}

std::optional<Evidence> first_wrong(const Subject& subject, const Right& right, const Arguments& results) {
  std::optional<Evidence> evidence;
  for (const Right::Result& result : right.results) {
    const Tensor* actual = find(results, result.name);
    if (actual == nullptr) continue;
    for (std::size_t k = 0; !evidence && k < result.values.size(); ++k) {
      const double value = actual->values[k];
      if (value == result.values[k] || (std::isnan(value) && std::isnan(result.values[k])))
        continue;  // infinities too
      const double error = std::fabs(value - result.values[k]);
      if (within(subject, value, error, result.bounds[k])) continue;
      Evidence e;
      e.tensor = result.name;
      e.index = index_of(k, result.dims);
      e.expected = result.values[k];
      e.actual = actual->values[k];
      e.error = error;
      e.bound = result.bounds[k];
      e.largest_score = right.largest_score;
      evidence = std::move(e);
    }
  }
  if (evidence) compare_all(*evidence, right, results);
  return evidence;
}

void compare_all(Evidence& evidence, const Right& right, const Arguments& results) {
  for (const Right::Result& result : right.results) {
    if (const Tensor* actual = find(results, result.name))
      evidence.compared[result.name] = {narrow(result), *actual};
  }
}

std::vector<Index> index_of(std::size_t position, const Dims& dims) {
  std::vector<Index> index(dims.size());
  auto rest = static_cast<Index>(position);
  for (std::size_t d = dims.size(); d-- > 0; rest /= dims[d]) index[d] = rest % dims[d];
  return index;
}

}  // namespace attest
