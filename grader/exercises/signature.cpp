#include "grader/exercises/signature.hpp"

#include "grader/exercises/bias.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attest {
namespace {

constexpr Index kBatch = 2;

Tensor rounded(Tensor tensor, Dtype dtype) {
  if (dtype == Dtype::float32) {
    for (double& v : tensor.values) v = static_cast<double>(static_cast<float>(v));
  }
  return tensor;
}

Matrix side_by_side(const std::vector<std::string>& roles, const Arguments& arguments) {
  Index columns = 0;
  for (const std::string& role : roles) columns += get(arguments, role).matrix().cols();
  Matrix all(get(arguments, roles[0]).matrix().rows(), columns);
  columns = 0;
  for (const std::string& role : roles) {
    const auto part = get(arguments, role).matrix();
    all.middleCols(columns, part.cols()) = part;
    columns += part.cols();
  }
  return all;
}

// The numbers of the default arguments in another order: every number keeps its value.
Tensor arranged(const Form& form, const Arguments& arguments) {
  const bool plain = !form.is_transposed && form.per_head == Form::PerHead::no;
  if (plain && form.of.size() == 1) return get(arguments, form.of[0]);
  const Matrix all = side_by_side(form.of, arguments);
  if (plain) return Tensor::from(all);
  if (form.per_head == Form::PerHead::no) return Tensor::from(Matrix(all.transpose()));
  const bool rows = form.per_head == Form::PerHead::rows;
  const Index n_heads = get_integer(arguments, "n_heads", 1), d = (rows ? all.rows() : all.cols()) / n_heads;
  Heads heads;
  for (Index g = 0; g < n_heads; ++g) {
    const Matrix own = rows ? Matrix(all.middleRows(g * d, d)) : Matrix(all.middleCols(g * d, d));
    heads.push_back(form.is_transposed ? Matrix(own.transpose()) : own);
  }
  return Tensor::from(heads);  // (n_heads, rows, columns)
}

Tensor mask(Form::Mask kind, Index n) {
  const double visible = kind == Form::Mask::visible ? 1 : 0;
  const double hidden = kind == Form::Mask::additive ? -std::numeric_limits<double>::infinity() : 1 - visible;
  Matrix all = Matrix::Constant(n, n, visible);
  for (Index i = 0; i < n; ++i) all.row(i).tail(n - i - 1).setConstant(hidden);
  return Tensor::from(all);
}

Tensor made(const Form& form, const WithBiases& from, const Extents& extents, Dtype dtype) {
  switch (form.kind) {
    case Form::Kind::given:
      return arranged(form, from.arguments);
    case Form::Kind::product: {
      const Matrix product =
          get(from.arguments, form.of[0]).matrix() * get(from.arguments, form.of[1]).matrix();
      return rounded(Tensor::from(product), dtype);
    }
    case Form::Kind::mask:
      return mask(form.mask, extents.at("T"));
    case Form::Kind::bias: {
      std::vector<double> all;
      for (const std::string& weight : form.of) {
        const std::vector<double>& bias = from.biases.at(weight);
        all.insert(all.end(), bias.begin(), bias.end());
      }
      return {{static_cast<Index>(all.size())}, all};
    }
    case Form::Kind::extent:
      return {{}, {static_cast<double>(extents.at(form.of[0]))}};
  }
  throw std::logic_error("a form of no kind");
}

// The sequence and, behind it, the same in the opposite order: a mix-up within the batch shows.
void add_batch(Tensor& tensor) {
  const auto width = static_cast<std::size_t>(tensor.dims.back());
  const std::size_t rows = tensor.values.size() / width;
  Numbers both(2 * tensor.values.size());
  double* to = std::copy(tensor.values.begin(), tensor.values.end(), both.begin());
  for (std::size_t i = rows; i-- > 0;) to = std::copy_n(tensor.values.begin() + i * width, width, to);
  Dims dims{kBatch};
  for (const Index dim : tensor.dims) dims.push_back(dim);
  tensor = {dims, both};
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

Arguments called_with(const Signature& signature, const Arguments& arguments, Dtype dtype) {
  const Extents extents = extents_of(signature.asked, arguments);
  const WithBiases from = moved_into_biases(arguments, signature.biased, dtype);
  Arguments called;
  for (std::size_t i = 0; i < signature.forms.size(); ++i) {
    const ArgumentSpec& argument = signature.call.arguments[i];
    called.push_back({argument.role, made(signature.forms[i], from, extents, dtype), argument.integer});
    if (!argument.integer && !argument.dims.empty() && argument.dims[0] == "B")
      add_batch(called.back().tensor);
  }
  return called;
}

bool makes_numbers(const Signature& signature) {
  return std::any_of(signature.forms.begin(), signature.forms.end(), [](const Form& form) {
    return form.kind == Form::Kind::product || form.kind == Form::Kind::bias;
  });
}

// What a call does to its arguments, as if it had been called with the default ones: each number that changed, where it came from. An
// argument of the call's own (a mask, a bias) that changed comes behind them.
Arguments AsDefault::as_default(const Arguments& before, const Arguments& called,
                                const Arguments& after) const {
  Arguments places = before, result = before, own;
  std::vector<double*> slots;  // of the result, by place
  for (std::size_t a = 0; a < before.size(); ++a) {
    if (before[a].integer) continue;
    for (std::size_t k = 0; k < before[a].tensor.values.size(); ++k) {
      places[a].tensor.values[k] = static_cast<double>(slots.size());
      slots.push_back(&result[a].tensor.values[k]);
    }
  }
  for (std::size_t a = 0; a < std::min(after.size(), called.size()); ++a) {
    const Form& form = signature_.forms[a];
    const Tensor &now = after[a].tensor, &then = called[a].tensor;
    if (called[a].integer || now.dims != then.dims) continue;
    if (form.kind != Form::Kind::given) {
      if (!std::equal(now.values.begin(), now.values.end(), then.values.begin(), is_same))
        own.push_back({called[a].name, now, false});
      continue;
    }
    const Tensor from = arranged(form, places);  // of a batch: its first
    for (std::size_t k = 0; k < from.values.size(); ++k) {
      if (!is_same(now.values[k], then.values[k]))
        *slots[static_cast<std::size_t>(from.values[k])] = now.values[k];
    }
  }
  result.insert(result.end(), own.begin(), own.end());
  return result;
}

// What the call leaves to the grader: the output projection.
void AsDefault::apply_missing(Tensor& y, const Question& question) const {
  if (signature_.missing.empty() || y.dims.size() != 2) return;
  y = Tensor::from(Matrix(y.matrix() * get(question.arguments, signature_.missing[0]).matrix()));
}

std::vector<Reply> AsDefault::answer(std::span<const Question> questions) {
  std::vector<Question> asked;
  for (const Question& question : questions) {
    asked.push_back(question);
    asked.back().arguments = called_with(signature_, question.arguments, dtype_);
  }
  std::vector<Reply> replies = submission_.answer(asked);
  for (std::size_t q = 0; q < replies.size(); ++q) {
    Reply& reply = replies[q];
    if (!reply.arguments_after.empty())
      reply.arguments_after = as_default(questions[q].arguments, asked[q].arguments, reply.arguments_after);

    Extents extents = extents_of(signature_.asked, questions[q].arguments);
    extents["B"] = kBatch;
    for (Named& result : reply.results) {
      const ResultSpec* promised = signature_.call.result(result.name);
      const Dims shape = resolve(promised->dims, extents);
      if (result.tensor.dims != shape) {
        reply.outcome = Outcome::wrong_shape;
        reply.fault.message = shape_complaint(*promised, result.tensor, shape);
        break;
      }
      if (signature_.batch) result.tensor = result.tensor.first();
      if (result.name == "y") apply_missing(result.tensor, questions[q]);
    }
    for (Named& result : reply.previous_after) {
      if (q < kResultsLookedBack) continue;
      const Question& earlier = questions[q - kResultsLookedBack];
      Extents its = extents_of(signature_.asked, earlier.arguments);
      its["B"] = kBatch;
      const ResultSpec* promised = signature_.call.result(result.name);
      if (promised == nullptr || result.tensor.dims != resolve(promised->dims, its))
        continue;  // it has been given another shape since: that is all there is to say of it
      if (signature_.batch) result.tensor = result.tensor.first();
      if (result.name == "y") apply_missing(result.tensor, earlier);
    }
    if (reply.outcome != Outcome::passed) reply.results.clear();
  }
  return replies;
}

}  // namespace attest
