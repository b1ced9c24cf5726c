#include "properties/spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace attest {

std::vector<std::string> parse_dims(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> dims;
  for (std::string word; in >> word;) dims.push_back(word);
  return dims;
}

Symbol parse_symbol(std::string_view text) {
  const std::size_t equals = text.find('=');
  const auto name = parse_dims(text.substr(0, equals));
  const auto factors = equals == text.npos ? std::vector<std::string>{} : parse_dims(text.substr(equals + 1));
  if (name.size() != 1 || (equals != text.npos && factors.empty())) {
    throw std::invalid_argument(
        fmt::format("'{}' is not a symbol; write 'T' or 'd_model = n_heads d_head'", text));
  }
  return {name[0], factors};
}

std::vector<std::string> Spec::free_symbols() const {
  std::vector<std::string> names;
  for (const Symbol& s : symbols) {
    if (s.is_free()) names.push_back(s.name);
  }
  return names;
}

Extents Spec::complete(Extents free) const {
  for (const Symbol& s : symbols) {
    if (s.is_free()) {
      const auto it = free.find(s.name);
      if (it == free.end() || it->second < 1) {
        throw std::invalid_argument(fmt::format("the extent {} must be given and at least 1", s.name));
      }
      continue;
    }
    Index product = 1;
    for (const std::string& factor : s.factors) product *= free.at(factor);
    free[s.name] = product;
  }
  return free;
}

const ArgumentSpec* Spec::argument(std::string_view role) const {
  const auto it =
      std::find_if(arguments.begin(), arguments.end(), [&](const auto& a) { return a.role == role; });
  return it == arguments.end() ? nullptr : &*it;
}

const ResultSpec* Spec::result(std::string_view name) const {
  const auto it = std::find_if(results.begin(), results.end(), [&](const auto& r) { return r.name == name; });
  return it == results.end() ? nullptr : &*it;
}

Extents extents_of(const Spec& spec, const Arguments& arguments) {
  Extents extents;
  for (const ArgumentSpec& a : spec.arguments) {
    const Tensor& tensor = get(arguments, a.role);
    if (a.integer) {
      extents.emplace(a.dims[0], static_cast<Index>(tensor.values.at(0)));
      continue;
    }
    for (std::size_t d = 0; d < a.dims.size(); ++d) extents.emplace(a.dims[d], tensor.dims.at(d));
  }
  for (const Symbol& s :
       spec.symbols) {  // d_model = n_heads d_head: the one unknown factor follows by division
    if (s.is_free()) continue;
    if (!extents.contains(s.name)) {
      Index product = 1;
      for (const std::string& factor : s.factors) {
        const auto it = extents.find(factor);
        product *= it == extents.end() ? 0 : it->second;
      }
      if (product > 0) extents.emplace(s.name, product);
      continue;
    }
    Index rest = extents[s.name];
    std::string unknown;
    for (const std::string& factor : s.factors) {
      if (const auto it = extents.find(factor); it != extents.end()) {
        rest /= std::max<Index>(1, it->second);
      } else {
        unknown = factor;
      }
    }
    if (!unknown.empty()) extents.emplace(unknown, rest);
  }
  return extents;
}

Dims resolve(const std::vector<std::string>& dims, const Extents& extents) {
  Dims shape;
  for (const std::string& d : dims) shape.push_back(extents.at(d));
  return shape;
}

namespace {

// What an argument says about an extent by itself.
std::optional<Index> told_by(const Spec& spec, const Arguments& arguments, const std::string& symbol) {
  for (const ArgumentSpec& a : spec.arguments) {
    const auto at = std::find(a.dims.begin(), a.dims.end(), symbol);
    if (at == a.dims.end()) continue;
    const Tensor& tensor = get(arguments, a.role);
    return a.integer ? static_cast<Index>(tensor.values.at(0))
                     : tensor.dims.at(static_cast<std::size_t>(at - a.dims.begin()));
  }
  return std::nullopt;
}

}  // namespace

Dims resolve(const std::vector<std::string>& dims, const Spec& spec, const Arguments& arguments) {
  Dims shape;
  for (const std::string& d : dims) {
    const auto extent = told_by(spec, arguments, d);
    if (!extent) return resolve(dims, extents_of(spec, arguments));
    shape.push_back(*extent);
  }
  return shape;
}

std::string shape_complaint(const ResultSpec& promised, const Tensor& result, const Dims& shape) {
  return fmt::format("{} has shape {}; it must be ({}) = {}", promised.name, shape_text(result.dims),
                     fmt::join(promised.dims, ", "), shape_text(shape));
}

namespace {

Arguments arguments_of(const Spec& spec, const Inputs<double>& in, const Arguments* known) {
  Arguments arguments;
  arguments.reserve(spec.arguments.size());
  for (const ArgumentSpec& a : spec.arguments) {
    if (a.integer) {
      arguments.push_back({a.role, {{}, {static_cast<double>(in.n_heads)}}, true});
      continue;
    }
    const Matrix* matrix = a.role == "x"     ? &in.x
                           : a.role == "w_q" ? &in.w_q
                           : a.role == "w_k" ? &in.w_k
                           : a.role == "w_v" ? &in.w_v
                           : a.role == "w_o" ? &in.w_o
                                             : nullptr;
    if (matrix == nullptr) throw std::logic_error("attention has no argument called " + a.role);
    const Tensor* same = known != nullptr ? find(*known, a.role) : nullptr;
    const bool is_known = same != nullptr && same->dims == Dims{matrix->rows(), matrix->cols()} &&
                          std::equal(same->values.begin(), same->values.end(), matrix->data());
    arguments.push_back({a.role, is_known ? *same : Tensor::from(*matrix)});
  }
  return arguments;
}

}  // namespace

Arguments attention_arguments(const Spec& spec, const Inputs<double>& in) {
  return arguments_of(spec, in, nullptr);
}

Arguments attention_arguments(const Spec& spec, const CaseInputs& in) {
  return arguments_of(spec, in, in.drawn.get());
}

const Spec& multi_head_attention_spec() {
  static const Spec spec{"multi-head",
                         "causal_multi_head_attention",
                         "attention",
                         {{"T", {}}, {"n_heads", {}}, {"d_head", {}}, {"d_model", {"n_heads", "d_head"}}},
                         {{"x", {"T", "d_model"}},
                          {"w_q", {"d_model", "d_model"}},
                          {"w_k", {"d_model", "d_model"}},
                          {"w_v", {"d_model", "d_model"}},
                          {"w_o", {"d_model", "d_model"}},
                          {"n_heads", {"n_heads"}, true}},
                         {{"y", {"T", "d_model"}}, {"weights", {"n_heads", "T", "T"}, true}},
                         {},
                         {},
                         false};
  return spec;
}

}  // namespace attest
