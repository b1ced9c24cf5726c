#include "properties/generate.hpp"

#include "properties/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace attest {
namespace {

// --- drawing ---

// Tokens, heads, head size. First the degenerate ones, then pairwise different extents, then the edges of blocks and tiles
// (2^k - 1, 2^k, 2^k + 1), with few features so that they cost little.
constexpr std::array<std::array<Index, 3>, kFewestCases> kFixedShapes = {{{1, 1, 1},
                                                                          {2, 1, 1},
                                                                          {2, 1, 2},
                                                                          {2, 2, 1},
                                                                          {3, 2, 2},
                                                                          {4, 2, 3},
                                                                          {1, 2, 3},
                                                                          {7, 3, 5},
                                                                          {4, 4, 4},
                                                                          {16, 2, 3},
                                                                          {17, 3, 2},
                                                                          {33, 1, 4}}};
// Only for properties about whole sequences: a quadratic cost. With the shapes above, all of 2^k - 1, 2^k, 2^k + 1 up to k = 7.
constexpr std::array<std::array<Index, 3>, 12> kLongShapes = {{{5, 2, 2},
                                                               {8, 1, 2},
                                                               {9, 2, 1},
                                                               {15, 2, 2},
                                                               {31, 2, 2},
                                                               {32, 2, 1},
                                                               {63, 1, 2},
                                                               {64, 1, 2},
                                                               {65, 2, 1},
                                                               {127, 1, 2},
                                                               {128, 1, 1},
                                                               {129, 2, 1}}};

// What a free symbol counts decides how large it is drawn; symbols that are not known here are small extents.
Index fixed_extent(const std::string& symbol, const std::array<Index, 3>& shape) {
  if (symbol == "T" || symbol == "S") return shape[0];
  if (symbol == "n_heads") return shape[1];
  if (symbol == "d_head" || symbol == "d_k") return shape[2];
  return shape[2] + (symbol == "d_v" ? 1 : 2) * (shape[2] > 1);  // pairwise different once there is room
}

Index draw_extent(rc::Random& random, const std::string& symbol, int size) {
  const auto upto = [&](Index largest) {
    const Index reach = std::clamp<Index>(1 + largest * size / 30, 1, largest);  // all of it from size 30 on
    return 1 + static_cast<Index>(random.next() % static_cast<std::uint64_t>(reach));
  };
  const bool rare = random.next() % 16 == 0;
  if (symbol == "T" || symbol == "S") return upto(rare ? 24 : 9);
  if (symbol == "n_heads") return upto(rare ? 8 : 4);
  return upto(rare ? 10 : 6);
}

Regime draw_regime(rc::Random& random, bool wild) {
  constexpr std::array kOrdinary = {Regime::signs,      Regime::integers, Regime::dyadic,
                                    Regime::gaussian,   Regime::gaussian, Regime::near_ties,
                                    Regime::equal_rows, Regime::one_hot,  Regime::dominant_key};
  const std::uint64_t r = random.next();
  if (wild && r % 4 == 0) return r % 8 == 0 ? Regime::huge : Regime::tiny;
  return kOrdinary[(r >> 8) % kOrdinary.size()];
}

Case draw(const Spec& spec, const Property& property, rc::Random random, int size,
          const std::array<Index, 3>* shape) {
  Case c;
  for (const Symbol& symbol : spec.symbols) {
    if (symbol.is_free())
      c.free[symbol.name] =
          shape ? fixed_extent(symbol.name, *shape) : draw_extent(random, symbol.name, size);
  }
  c.regime = draw_regime(random, property.wild);
  c.seed = random.next();
  if (property.choices.empty()) return c;
  const Extents extents = spec.complete(c.free);
  c.choices.reserve(property.choices.size());
  for (const Choice& choice : property.choices) {
    const auto range = static_cast<std::uint64_t>(std::max<Index>(1, choice.range(extents)));
    c.choices.emplace_back(choice.name, static_cast<Index>(random.next() % range));
  }
  return c;
}

// --- shrinking ---

std::shared_ptr<const Arguments> share(Arguments arguments) {
  return std::make_shared<const Arguments>(std::move(arguments));
}

// The positions of a dimension that survive when position `without` of the free symbol `symbol` is dropped. A derived dimension
// (d_model = n_heads d_head) loses every position that is made with it; positions are in row-major order of the factors.
std::vector<Index> survivors(const Spec& spec, const Extents& extents, const std::string& dim,
                             const std::string& symbol, Index without) {
  const Index n = extents.at(dim);
  std::vector<Index> keep;
  const auto it =
      std::find_if(spec.symbols.begin(), spec.symbols.end(), [&](const Symbol& s) { return s.name == dim; });
  for (Index p = 0; p < n; ++p) {
    bool dropped = dim == symbol && p == without;
    Index rest = p;
    for (auto f = it->factors.rbegin(); f != it->factors.rend(); ++f) {
      dropped |= *f == symbol && rest % extents.at(*f) == without;
      rest /= extents.at(*f);
    }
    if (!dropped) keep.push_back(p);
  }
  return keep;
}

Tensor pick(const Tensor& t, const std::vector<std::vector<Index>>& keep) {
  Dims dims;
  for (const auto& k : keep) dims.push_back(static_cast<Index>(k.size()));
  Tensor out = Tensor::zeros(dims);
  std::vector<Index> at(keep.size(), 0);
  std::vector<std::size_t> counter(keep.size(), 0);
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    std::size_t rest = i;
    for (std::size_t d = keep.size(); d-- > 0;) {
      counter[d] = rest % keep[d].size();
      rest /= keep[d].size();
      at[d] = keep[d][counter[d]];
    }
    out.values[i] = t.at(at);
  }
  return out;
}

Case drop(const Spec& spec, Dtype dtype, const Case& c, const std::string& symbol, Index without) {
  const Extents extents = spec.complete(c.free);
  Case smaller = c;
  --smaller.free[symbol];
  Arguments arguments = materialise(spec, c, dtype);
  for (Named& n : arguments) {
    const ArgumentSpec& a = *spec.argument(n.name);
    if (a.integer) {
      n.tensor.values[0] = static_cast<double>(spec.complete(smaller.free).at(a.dims[0]));
      continue;
    }
    std::vector<std::vector<Index>> keep;
    for (const std::string& dim : a.dims) keep.push_back(survivors(spec, extents, dim, symbol, without));
    n.tensor = pick(n.tensor, keep);
  }
  smaller.literal = share(std::move(arguments));
  smaller.zeroed.clear();  // the literals say it
  return smaller;
}

Case leading(const Spec& spec, Dtype dtype, const Case& c, const std::string& symbol, Index extent) {
  if (!c.literal) {  // drawn numbers: the smaller shape is the leading block by itself
    Case smaller = c;
    smaller.free[symbol] = extent;
    return smaller;
  }
  Case smaller = c;
  while (smaller.free[symbol] > extent)
    smaller = drop(spec, dtype, smaller, symbol, smaller.free[symbol] - 1);
  return smaller;
}

// Strictly smaller in this order: integers before fractions, small before large, positive before negative.
auto cost(double v) { return std::make_tuple(v != std::trunc(v), std::fabs(v), v < 0); }

std::vector<double> simpler(double v) {
  std::vector<double> out;
  for (const double w :
       {0.0, 1.0, -1.0, 2.0, std::trunc(v), std::round(v), -v, std::trunc(v / 2), std::round(v * 4) / 4}) {
    if (cost(w) < cost(v) && std::find(out.begin(), out.end(), w) == out.end()) out.push_back(w);
  }
  return out;
}

template <class Change>
Case with_literal(const Spec& spec, Dtype dtype, const Case& c, std::size_t argument, Change change) {
  Arguments arguments = materialise(spec, c, dtype);
  change(arguments[argument].tensor.values);
  Case simpler_case = c;
  simpler_case.literal = share(std::move(arguments));
  simpler_case.zeroed.clear();
  return simpler_case;
}

rc::Seq<Case> shrink_shape(const Spec& spec, Dtype dtype, const Case& c) {
  rc::Seq<Case> all;
  for (const std::string& symbol : spec.free_symbols()) {
    all = rc::seq::concat(std::move(all), rc::seq::map(rc::shrink::towards<Index>(c.free.at(symbol), 1),
                                                       [=, &spec](Index extent) {
                                                         return leading(spec, dtype, c, symbol, extent);
                                                       }));
  }
  return all;
}

rc::Seq<Case> shrink_draw(const Spec& spec, const Case& c) {
  std::vector<Case> simpler_cases;
  for (const Regime regime : {Regime::signs, Regime::integers, Regime::dyadic, Regime::gaussian}) {
    if (c.literal || regime >= c.regime) continue;
    simpler_cases.push_back(c);
    simpler_cases.back().regime = regime;
  }
  for (const ArgumentSpec& a : spec.arguments) {
    if (c.literal || a.integer || c.zeroed.contains(a.role)) continue;
    simpler_cases.push_back(c);
    simpler_cases.back().zeroed.insert(a.role);
  }
  return rc::seq::fromContainer(std::move(simpler_cases));
}

rc::Seq<Case> shrink_choices(const Case& c) {
  rc::Seq<Case> all;
  for (std::size_t i = 0; i < c.choices.size(); ++i) {
    all = rc::seq::concat(std::move(all),
                          rc::seq::map(rc::shrink::towards<Index>(c.choices[i].second, 0), [=](Index value) {
                            Case smaller = c;
                            smaller.choices[i].second = value;
                            return smaller;
                          }));
  }
  return all;
}

// Any single position, not only the last one.
rc::Seq<Case> shrink_positions(const Spec& spec, Dtype dtype, const Case& c) {
  rc::Seq<Case> all;
  for (const std::string& symbol : spec.free_symbols()) {
    const Index extent = c.free.at(symbol);
    if (extent < 2) continue;
    all = rc::seq::concat(std::move(all),
                          rc::seq::map(rc::seq::range<Index>(0, extent - 1), [=, &spec](Index without) {
                            return drop(spec, dtype, c, symbol, without);
                          }));
  }
  return all;
}

constexpr Index kLargestLiteral = 400;  // numbers: beyond, element-wise shrinking shows nobody anything

rc::Seq<Case> shrink_elements(const Spec& spec, Dtype dtype, const Case& c) {
  const auto arguments = share(materialise(spec, c, dtype));
  Index numbers = 0;
  for (const Named& n : *arguments) numbers += n.tensor.size();
  if (numbers > kLargestLiteral) return {};
  rc::Seq<Case> rows, elements;
  for (std::size_t a = 0; a < arguments->size(); ++a) {
    const Named& n = (*arguments)[a];
    if (n.integer || n.tensor.dims.empty()) continue;
    const std::size_t width = static_cast<std::size_t>(n.tensor.dims.back());
    const std::size_t size = n.tensor.values.size();
    rows = rc::seq::concat(
        std::move(rows),
        rc::seq::mapMaybe(rc::seq::range<std::size_t>(0, size / width), [=, &spec](std::size_t row) {
          const auto begin = (*arguments)[a].tensor.values.begin() + static_cast<std::ptrdiff_t>(row * width);
          const auto end = begin + static_cast<std::ptrdiff_t>(width);
          if (std::all_of(begin, end, [](double v) { return v == 0; })) return rc::Maybe<Case>();
          return rc::Maybe<Case>(with_literal(spec, dtype, c, a, [&](Numbers& values) {
            std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(row * width), width, 0.0);
          }));
        }));
    elements = rc::seq::concat(
        std::move(elements), rc::seq::mapcat(rc::seq::range<std::size_t>(0, size), [=, &spec](std::size_t k) {
          return rc::seq::map(
              rc::seq::fromContainer(simpler((*arguments)[a].tensor.values[k])), [=, &spec](double v) {
                return with_literal(spec, dtype, c, a, [&](Numbers& values) { values[k] = v; });
              });
        }));
  }
  return rc::seq::concat(std::move(rows), std::move(elements));
}

}  // namespace

rc::Seq<Case> shrinks(const Spec& spec, Dtype dtype, const Case& c) {
  return rc::seq::concat(shrink_shape(spec, dtype, c), shrink_draw(spec, c), shrink_choices(c),
                         shrink_positions(spec, dtype, c), shrink_elements(spec, dtype, c));
}

Case drawn_case(const Spec& spec, const Property& property, std::uint64_t seed, int index) {
  const std::uint64_t own = property.own_numbers ? name_hash(property.id) : 0;
  const rc::Random random(rc::Random::Key{seed, static_cast<std::uint64_t>(index), own, 0});
  const auto number = static_cast<std::size_t>(index);
  const std::size_t fixed = kFixedShapes.size() + (property.long_sequences ? kLongShapes.size() : 0);
  const std::array<Index, 3>* shape = nullptr;
  if (number < kFixedShapes.size()) {
    shape = &kFixedShapes[number];
  } else if (number < fixed) {
    shape = &kLongShapes[number - kFixedShapes.size()];
  }
  return draw(spec, property, random, std::min(rc::kNominalSize, 1 + index), shape);
}

rc::Shrinkable<Case> case_at(const Spec& spec, const Property& property, Dtype dtype, std::uint64_t seed,
                             int index) {
  return rc::shrinkable::shrinkRecur(drawn_case(spec, property, seed, index),
                                     [&spec, dtype](const Case& from) { return shrinks(spec, dtype, from); });
}

rc::Gen<Case> cases(const Spec& spec, const Property& property, Dtype dtype) {
  return [&spec, &property, dtype](const rc::Random& random, int size) {
    return rc::shrinkable::shrinkRecur(
        draw(spec, property, random, size, nullptr),
        [&spec, dtype](const Case& from) { return shrinks(spec, dtype, from); });
  };
}

}  // namespace attest
