#include "properties/case.hpp"

#include "properties/bounds.hpp"
#include "properties/drawn.hpp"
#include "properties/lately.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

namespace attest {
namespace {

constexpr std::array<std::string_view, 11> kRegimes = {"zeros",        "signs",     "integers",   "dyadic",
                                                       "gaussian",     "near_ties", "equal_rows", "one_hot",
                                                       "dominant_key", "tiny",      "huge"};

// splitmix64 (Steele, Lea, Flood 2014): counter-based, so that an element depends on its own coordinates only.
std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// The numbers of one tensor.
class Draw {
 public:
  Draw(std::uint64_t seed, std::string_view role) : seed_(mix(seed ^ name_hash(role))) {}

  std::uint64_t bits(Index i, Index j) const {
    return mix(seed_ ^ mix((static_cast<std::uint64_t>(i) << 32) | static_cast<std::uint64_t>(j)));
  }
  double integer(Index i, Index j, int magnitude) const {
    return static_cast<double>(bits(i, j) % static_cast<unsigned>(2 * magnitude + 1)) - magnitude;
  }
  // Irwin-Hall: the sum of four uniform 16-bit numbers, centred, variance 1 (4/12 of 65536^2, so * sqrt 3 / 65536).
  // Exact in float, no libm: the same on every machine.
  double gaussian(Index i, Index j) const {
    const std::uint64_t r = bits(i, j);
    const auto sum =
        static_cast<double>((r & 0xffff) + ((r >> 16) & 0xffff) + ((r >> 32) & 0xffff) + (r >> 48));
    return static_cast<double>(static_cast<float>((sum - 131070.0) * (1.7320508075688772 / 65536.0)));
  }

 private:
  std::uint64_t seed_;
};

double element(const Draw& draw, Regime regime, Index i, Index j) {
  switch (regime) {
    case Regime::zeros:
      return 0;
    case Regime::signs:
      return draw.integer(i, j, 1);
    case Regime::integers:
    case Regime::equal_rows:
    case Regime::one_hot:
      return draw.integer(i, j, 4);
    case Regime::dyadic:
      return draw.integer(i, j, 32) / 8;
    default:
      return draw.gaussian(i, j);
  }
}

// The regimes that speak of the rows of the first tensor: what the tokens look like.
void shape_rows(const Draw& draw, const Case& c, Eigen::Map<Matrix> x) {
  const Index rows = x.rows(), cols = x.cols();
  switch (c.regime) {
    case Regime::near_ties: {
      const double spread = std::ldexp(1.0, -7 - static_cast<int>(c.seed % 20));  // 8e-3 ... 1.5e-8
      for (Index i = 1; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) x(i, j) = x(0, j) + spread * x(i, j);
      }
      break;
    }
    case Regime::equal_rows:
      for (Index i = 1; i < rows; ++i) x.row(i) = x.row(0);
      break;
    case Regime::one_hot:
      for (Index i = 0; i < rows; ++i) {
        x.row(i).setZero();
        x(i, static_cast<Index>(draw.bits(i, 0) % static_cast<std::uint64_t>(cols))) = 1;
      }
      break;
    case Regime::dominant_key:
      x.row(static_cast<Index>(c.seed % static_cast<std::uint64_t>(rows))) *= 8;
      break;
    default:
      break;
  }
}

Eigen::Map<Matrix> as_rows(Tensor& t) {  // a rank-3 tensor is its matrices below one another
  const Index cols = t.dims.empty() ? 1 : t.dims.back();
  return {t.values.data(), cols == 0 ? 0 : t.size() / cols, cols};
}

Tensor* find_mutable(Arguments& arguments, std::string_view name) {
  return const_cast<Tensor*>(find(arguments, name));
}

// Spec::ends_with_one. Which cases do is a matter of the seed, so that a token says it. No other feature of the first token is 1, so
// that the tokens of a prefix have exactly those ones in common that all tokens have. Unit vectors and zeros stay what they are.
void end_with_one(Arguments& arguments, const Case& c) {
  auto x = as_rows(arguments[0].tensor);  // (T, d_model)
  const Index last = x.cols() - 1;
  for (Index i = 0; i < x.rows(); ++i) {
    if (i > 0 && c.regime != Regime::equal_rows) break;
    for (Index j = 0; j <= last; ++j) x(i, j) = x(i, j) == 1 ? -1 : x(i, j);
  }
  if (last == 0 || c.seed % 2 == 0 || c.regime == Regime::zeros || c.regime == Regime::one_hot ||
      c.zeroed.contains(arguments[0].name))
    return;
  x.col(last).setOnes();
  Tensor* w_v = find_mutable(arguments, "w_v");
  if (w_v == nullptr || !find(arguments, "w_o") || c.seed % 4 == 1) return;
  auto values = as_rows(*w_v);
  values.topRightCorner(last, 1).setZero();  // the last value of all tokens: a bias behind w_o
}

void multiply(Tensor& tensor, int exponent) {
  for (double& v : tensor.values) v = std::ldexp(v, exponent);
}

// Powers of two change no mantissa, so an integer case stays one that can be worked out by hand.
void set_magnitude(Arguments& arguments, const Case& c, Dtype dtype) {
  Tensor* w_q = find_mutable(arguments, "w_q");
  if (w_q == nullptr || !find(arguments, "w_k") || !find(arguments, "x")) return;
  if (c.regime == Regime::tiny) {  // products of two such numbers are subnormal
    const int exponent = dtype == Dtype::float32 ? -66 : -520;
    multiply(*w_q, exponent);
    multiply(*find_mutable(arguments, "w_k"), exponent);
    return;
  }
  const double largest = largest_score(attention_inputs(arguments));
  if (c.regime == Regime::huge) {
    if (largest > 0)
      multiply(*w_q, 10 + static_cast<int>(c.seed % 57) -
                         std::ilogb(largest));  // 2^10 ... 2^66, about 1e3 ... 1e20
  } else if (largest > kOrdinaryScore) {
    multiply(*w_q, -1 - std::ilogb(largest / kOrdinaryScore));
  }
}

}  // namespace

std::uint64_t name_hash(std::string_view name) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

std::string_view to_string(Regime regime) { return kRegimes[static_cast<std::size_t>(regime)]; }

std::optional<Regime> parse_regime(std::string_view name) {
  for (std::size_t i = 0; i < kRegimes.size(); ++i) {
    if (kRegimes[i] == name) return static_cast<Regime>(i);
  }
  return std::nullopt;
}

bool is_ordinary(Regime regime) { return regime < Regime::tiny; }

Index Case::choice(std::string_view name, Index otherwise) const {
  for (const auto& [key, value] : choices) {
    if (key == name) return value;
  }
  return otherwise;
}

bool Case::operator==(const Case& other) const {
  const bool same_literal =
      literal == other.literal || (literal && other.literal && *literal == *other.literal);
  return free == other.free && regime == other.regime && seed == other.seed && zeroed == other.zeroed &&
         choices == other.choices && same_literal;
}

void set_largest_score(Arguments& arguments, double wanted) {
  const double largest = largest_score(attention_inputs(arguments));
  if (largest > 0)
    multiply(*find_mutable(arguments, "w_q"), static_cast<int>(std::lround(std::log2(wanted / largest))));
}

namespace {

Arguments draw_all(const Spec& spec, const Case& c, const Extents& extents, Dtype dtype) {
  Arguments arguments;
  arguments.reserve(spec.arguments.size());
  bool first = true;
  for (const ArgumentSpec& a : spec.arguments) {
    if (a.integer) {
      arguments.push_back({a.role, {{}, {static_cast<double>(extents.at(a.dims.at(0)))}}, true});
      continue;
    }
    Named named{a.role, Tensor::zeros(resolve(a.dims, extents))};
    if (!c.zeroed.contains(a.role)) {
      auto rows = as_rows(named.tensor);
      const Draw draw(c.seed, a.role);
      for (Index i = 0; i < rows.rows(); ++i) {
        for (Index j = 0; j < rows.cols(); ++j) rows(i, j) = element(draw, c.regime, i, j);
      }
      if (first) shape_rows(draw, c, rows);
    }
    first = false;
    arguments.push_back(std::move(named));
  }
  if (spec.ends_with_one) end_with_one(arguments, c);
  set_magnitude(arguments, c, dtype);
  if (dtype == Dtype::float32) {
    for (Named& n : arguments) {
      for (double& v : n.tensor.values) v = static_cast<double>(static_cast<float>(v));
    }
  }
  return arguments;
}

std::size_t bytes_of(const Arguments& arguments) {
  std::size_t bytes = 0;
  for (const Named& n : arguments) bytes += sizeof(Named) + 64 + n.tensor.values.size() * sizeof(double);
  return bytes;
}

// Everything that draw_all() looks at.
Fingerprint fingerprint(const Spec& spec, const Case& c, Dtype dtype) {
  Fingerprint key;
  key.add(c.seed);
  key.add(static_cast<std::uint64_t>(c.regime) << 2 | static_cast<std::uint64_t>(dtype) << 1 |
          static_cast<std::uint64_t>(spec.ends_with_one));
  const auto add_all = [&key](const std::vector<std::string>& names) {
    key.add(std::uint64_t{names.size()});
    for (const std::string& name : names) key.add(name);
  };
  for (const ArgumentSpec& a : spec.arguments) {
    key.add(a.role);
    key.add(static_cast<std::uint64_t>(a.integer));
    add_all(a.dims);
  }
  for (const Symbol& s : spec.symbols) {
    key.add(s.name);
    add_all(s.factors);
  }
  for (const auto& [name, extent] : c.free) {
    key.add(name);
    key.add(static_cast<std::uint64_t>(extent));
  }
  for (const std::string& role : c.zeroed) key.add(role);
  return key;
}

}  // namespace

std::shared_ptr<const Arguments> drawn(const Spec& spec, const Case& c, Dtype dtype) {
  if (c.literal) return c.literal;
  thread_local Lately<std::shared_ptr<const Arguments>> of_this_thread(std::size_t{8} << 20);
  const Fingerprint key = fingerprint(spec, c, dtype);
  if (const auto* known = of_this_thread.find(key)) return *known;
  auto made = std::make_shared<const Arguments>(draw_all(spec, c, spec.complete(c.free), dtype));
  for (const Named& n : *made) n.tensor.values.fingerprint();  // once, for all questions that share them
  of_this_thread.remember(key, made, bytes_of(*made));
  return made;
}

Arguments materialise(const Spec& spec, const Case& c, Dtype dtype) { return *drawn(spec, c, dtype); }

}  // namespace attest
