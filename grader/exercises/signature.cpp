#include "grader/exercises/signature.hpp"

#include <algorithm>
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

Tensor side_by_side(const std::vector<Matrix>& parts) {
  Index columns = 0;
  for (const Matrix& part : parts) columns += part.cols();
  Matrix all(parts.front().rows(), columns);
  columns = 0;
  for (const Matrix& part : parts) {
    all.middleCols(columns, part.cols()) = part;
    columns += part.cols();
  }
  return Tensor::from(all);
}

Named made(const Form& form, const Arguments& arguments, const Extents& extents, Dtype dtype) {
  switch (form.kind) {
    case Form::Kind::transposed:
      return {form.role, Tensor::from(Matrix(get(arguments, form.of[0]).matrix().transpose())), false};
    case Form::Kind::joint: {
      std::vector<Matrix> parts;
      for (const std::string& role : form.of) parts.push_back(get(arguments, role).matrix());
      Tensor all = side_by_side(parts);
      if (form.is_transposed) all = Tensor::from(Matrix(all.matrix().transpose()));
      return {form.role, std::move(all), false};
    }
    case Form::Kind::product: {
      const Matrix product = get(arguments, form.of[0]).matrix() * get(arguments, form.of[1]).matrix();
      return {form.role, rounded(Tensor::from(product), dtype), false};
    }
    case Form::Kind::mask: {
      const Index n = extents.at("T");
      Matrix mask = Matrix::Zero(n, n);
      for (Index i = 0; i < n; ++i)
        mask.row(i).tail(n - i - 1).setConstant(-std::numeric_limits<double>::infinity());
      return {form.role, Tensor::from(mask), false};
    }
    case Form::Kind::zeros:
      return {form.role, Tensor::zeros({extents.at(form.of[0])}), false};
    case Form::Kind::extent:
      return {form.role, {{}, {static_cast<double>(extents.at(form.of[0]))}}, true};
    case Form::Kind::as_is:
      break;
  }
  for (const Named& argument : arguments) {
    if (argument.name == form.of[0]) return {form.role, argument.tensor, argument.integer};
  }
  throw std::logic_error("no argument is called " + form.of[0]);
}

// The sequence and, behind it, the same in the opposite order: a mix-up within the batch shows.
void add_batch(Tensor& tensor) {
  const auto width = static_cast<std::size_t>(tensor.dims.back());
  const std::size_t rows = tensor.values.size() / width;
  std::vector<double> reversed;
  for (std::size_t i = rows; i-- > 0;) {
    reversed.insert(reversed.end(), tensor.values.begin() + static_cast<std::ptrdiff_t>(i * width),
                    tensor.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  }
  tensor.dims.insert(tensor.dims.begin(), kBatch);
  tensor.values.insert(tensor.values.end(), reversed.begin(), reversed.end());
}

void take_first(Tensor& tensor) {
  tensor.dims.erase(tensor.dims.begin());
  tensor.values.resize(tensor.values.size() / kBatch);
}

}  // namespace

// What the call leaves to the grader: the output projection.
void AsDefault::apply_missing(Tensor& y, const Question& question) const {
  if (signature_.missing.empty() || y.dims.size() != 2) return;
  y = Tensor::from(Matrix(y.matrix() * get(question.arguments, signature_.missing[0]).matrix()));
}

std::vector<Reply> AsDefault::answer(std::span<const Question> questions) {
  std::vector<Question> asked;
  for (const Question& question : questions) {
    Question own = question;
    own.arguments.clear();
    const Extents extents = extents_of(spec_, question.arguments);
    for (const Form& form : signature_.forms)
      own.arguments.push_back(made(form, question.arguments, extents, dtype_));
    if (signature_.batch) add_batch(own.arguments[0].tensor);
    asked.push_back(std::move(own));
  }
  std::vector<Reply> replies = submission_.answer(asked);
  for (std::size_t q = 0; q < replies.size(); ++q) {
    Reply& reply = replies[q];
    // What a call does to its arguments is compared where they are the default ones.
    Arguments after;
    for (std::size_t a = 0; a < std::min(reply.arguments_after.size(), signature_.forms.size()); ++a) {
      const Form& form = signature_.forms[a];
      Tensor tensor = std::move(reply.arguments_after[a].tensor);
      if (tensor.dims != asked[q].arguments[a].tensor.dims) continue;
      if (signature_.batch && a == 0) take_first(tensor);
      if (form.kind == Form::Kind::transposed) tensor = Tensor::from(Matrix(tensor.matrix().transpose()));
      if (form.kind == Form::Kind::as_is || form.kind == Form::Kind::transposed)
        after.push_back({form.of[0], std::move(tensor), reply.arguments_after[a].integer});
    }
    reply.arguments_after = std::move(after);

    Extents extents = extents_of(spec_, questions[q].arguments);
    extents["B"] = kBatch;
    for (Named& result : reply.results) {
      const ResultSpec* promised = signature_.call.result(result.name);
      const std::vector<Index> shape = resolve(promised->dims, extents);
      if (result.tensor.dims != shape) {
        reply.outcome = Outcome::wrong_shape;
        reply.fault.message = shape_complaint(*promised, result.tensor, shape);
        break;
      }
      if (signature_.batch) take_first(result.tensor);
      if (result.name == "y" && !signature_.missing.empty()) {
        result.tensor =
            Tensor::from(Matrix(result.tensor.matrix() * get(questions[q].arguments, "w_o").matrix()));
      }
    }
    for (Named& result : reply.previous_after) {
      if (q == 0) continue;
      if (signature_.batch && !result.tensor.dims.empty() && result.tensor.dims[0] == kBatch)
        take_first(result.tensor);
      if (result.name == "y") apply_missing(result.tensor, questions[q - 1]);
    }
    if (reply.outcome != Outcome::passed) reply.results.clear();
  }
  return replies;
}

}  // namespace attest
