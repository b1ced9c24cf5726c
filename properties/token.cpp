// The written form of a case. Fields are separated by ':', each begins with its own name, so that new fields can be added and
// old tokens stay readable.
#include "properties/case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace attest {
namespace {

constexpr Index kLargestExtent = 4096;  // of one dimension: a token is pasted by people
constexpr Index kLargestChoice = 4096;  // they are among tokens, features and heads, or fewer
constexpr std::size_t kLargestTensor = 1 << 20;

std::string number(double v, Dtype dtype) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  std::string text =
      dtype == Dtype::float32 ? fmt::format("{}", static_cast<float>(v)) : fmt::format("{}", v);
  std::erase(text, '+');  // 1e+20 -> 1e20: '+' is not a token character
  return text;
}

std::string values_text(const Tensor& tensor, Dtype dtype) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < tensor.values.size();) {
    std::size_t end = i;
    while (end < tensor.values.size() && tensor.values[end] == 0 && !std::signbit(tensor.values[end])) ++end;
    if (end - i > 1) {
      parts.push_back(fmt::format("z{}", end - i));
      i = end;
    } else {
      parts.push_back(number(tensor.values[i++], dtype));
    }
  }
  return fmt::format("{}", fmt::join(parts, "_"));
}

[[noreturn]] void refuse(std::string_view field, std::string_view why) {
  throw std::invalid_argument(fmt::format("the case token cannot be read at '{}': {}", field, why));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

template <class T>
T parse_number(std::string_view text, std::string_view field, int base = 10) {
  T value{};
  std::from_chars_result r{};
  if constexpr (std::is_floating_point_v<T>) {
    r = std::from_chars(text.data(), text.data() + text.size(), value);
  } else {
    r = std::from_chars(text.data(), text.data() + text.size(), value, base);
  }
  if (r.ec != std::errc{} || r.ptr != text.data() + text.size())
    refuse(field, fmt::format("'{}' is not a number", text));
  return value;
}

Named parse_literal(std::string_view field) {  // v.<role>.<dims>.<values>; a value may hold '.' itself
  const std::size_t role_end = field.find('.', 2);
  const std::size_t dims_end = role_end == field.npos ? field.npos : field.find('.', role_end + 1);
  if (dims_end == field.npos) refuse(field, "expected v.ROLE.DIMS.VALUES");
  Named named{std::string(field.substr(2, role_end - 2)), {}};
  std::size_t size = 1;
  const std::string_view dims = field.substr(role_end + 1, dims_end - role_end - 1);
  named.integer = dims == "n";
  if (!named.integer) {
    for (const std::string_view d : split(dims, '_')) {
      const Index extent = parse_number<Index>(d, field);
      if (extent < 1 || extent > kLargestExtent) refuse(field, "an extent must be from 1 to 4096");
      named.tensor.dims.push_back(extent);
      size *= static_cast<std::size_t>(extent);
      if (size > kLargestTensor) refuse(field, "the tensor is too large");
    }
  }
  std::vector<double> values;
  for (const std::string_view v : split(field.substr(dims_end + 1), '_')) {
    if (v.starts_with('z')) {
      const auto zeros = parse_number<std::size_t>(v.substr(1), field);
      if (zeros > size) refuse(field, "more zeros than the shape has places");
      values.insert(values.end(), zeros, 0.0);
    } else {
      values.push_back(parse_number<double>(v, field));
    }
    if (values.size() > size) break;
  }
  if (values.size() != size) refuse(field, "the number of values does not fit the shape");
  named.tensor.values = values;
  return named;
}

void parse_field(std::string_view field, ParsedToken& parsed, Arguments& literal) {
  Case& c = parsed.value;
  if (field.starts_with("s.")) {
    c.seed = parse_number<std::uint64_t>(field.substr(2), field, 16);
  } else if (field.starts_with("z.")) {
    c.zeroed.emplace(field.substr(2));
  } else if (field.starts_with("p.")) {
    const auto parts = split(field, '.');
    if (parts.size() != 3) refuse(field, "expected p.NAME.VALUE");
    const Index choice = parse_number<Index>(parts[2], field);
    if (choice < 0 || choice > kLargestChoice) refuse(field, "a choice must be from 0 to 4096");
    c.choices.emplace_back(parts[1], choice);
  } else if (field.starts_with("v.")) {
    literal.push_back(parse_literal(field));
  } else if (const auto regime = parse_regime(field)) {
    c.regime = *regime;
  } else {
    const auto parts = split(field, '.');
    if (parts.size() != 2) refuse(field, "expected EXTENT.VALUE or a regime");
    const Index extent = parse_number<Index>(parts[1], field);
    if (extent < 1 || extent > kLargestExtent) refuse(field, "an extent must be from 1 to 4096");
    c.free.emplace(parts[0], extent);
  }
}

// The dtype's own number, of which the token says another one perhaps.
void round_to(Dtype dtype, Arguments& literal) {
  if (dtype != Dtype::float32) return;
  for (Named& named : literal) {
    for (double& value : named.tensor.values) {
      const auto rounded = static_cast<double>(static_cast<float>(value));
      if (std::isinf(rounded) && std::isfinite(value))
        refuse(named.name, fmt::format("{:g} is larger than any float32", value));
      value = rounded;
    }
  }
}

}  // namespace

std::string token(const Spec& spec, Dtype dtype, const Case& c) {
  std::string text = fmt::format("a1:{}:{}", spec.slug, to_string(dtype));
  for (const auto& [name, extent] : c.free) text += fmt::format(":{}.{}", name, extent);
  text += fmt::format(":{}:s.{:x}", to_string(c.regime), c.seed);
  for (const std::string& role : c.zeroed) text += ":z." + role;
  for (const auto& [name, value] : c.choices) text += fmt::format(":p.{}.{}", name, value);
  if (c.literal) {
    for (const Named& n : *c.literal) {
      const std::string dims = n.integer ? "n" : fmt::format("{}", fmt::join(n.tensor.dims, "_"));
      text += fmt::format(":v.{}.{}.{}", n.name, dims, values_text(n.tensor, dtype));
    }
  }
  return text;
}

ParsedToken parse_token(std::string_view text) {
  const auto allowed = [](unsigned char ch) {
    return (ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z') ||
           std::string_view(":._-").find(static_cast<char>(ch)) != std::string_view::npos;
  };
  if (!std::all_of(text.begin(), text.end(), allowed))
    refuse(text.substr(0, 40), "only A-Z a-z 0-9 : . _ - may occur in it");
  const auto fields = split(text, ':');
  if (fields[0] != "a1") refuse(fields[0], "a token begins with 'a1:'");
  if (fields.size() < 4) refuse(text.substr(0, 40), "it ends too early; a token is a1:EXERCISE:DTYPE:...");
  ParsedToken parsed{std::string(fields[1]), Dtype::float64, {}};
  if (fields[2] == to_string(Dtype::float32)) {
    parsed.dtype = Dtype::float32;
  } else if (fields[2] != to_string(Dtype::float64)) {
    refuse(fields[2], "expected float32 or float64");
  }
  Arguments literal;
  for (std::size_t i = 3; i < fields.size(); ++i) parse_field(fields[i], parsed, literal);
  round_to(parsed.dtype, literal);
  if (!literal.empty()) parsed.value.literal = std::make_shared<const Arguments>(std::move(literal));
  return parsed;
}

void check_fits(const Spec& spec, const Case& c) {
  const auto complain = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format("the case does not fit the exercise {}: {}", spec.slug, what));
  };
  Extents extents;
  try {
    extents = spec.complete(c.free);
  } catch (const std::invalid_argument& e) {
    complain(e.what());
  }
  if (!c.literal) return;
  if (c.literal->size() != spec.arguments.size()) complain("another number of arguments");
  for (const ArgumentSpec& a : spec.arguments) {
    const Tensor* tensor = find(*c.literal, a.role);
    if (tensor == nullptr) complain("no argument " + a.role);
    if (a.integer) {
      if (tensor->values.size() != 1 || tensor->values[0] != static_cast<double>(extents.at(a.dims[0])))
        complain(a.role);
    } else if (tensor->dims != resolve(a.dims, extents)) {
      complain(fmt::format("{} has shape {}, expected {}", a.role, shape_text(tensor->dims),
                           shape_text(resolve(a.dims, extents))));
    }
  }
}

}  // namespace attest
