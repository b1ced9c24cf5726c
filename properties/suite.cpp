// Without GoogleTest: what a property of a suite does is plain RapidCheck.
#include "properties/generate.hpp"
#include "properties/readout.hpp"
#include "properties/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <sstream>

namespace attest {

// What RapidCheck prints of a counterexample; found by argument-dependent lookup.
void showValue(const Case& c, std::ostream& os) {
  os << token(multi_head_attention_spec(), Dtype::float64, c);
  for (const Named& n : materialise(multi_head_attention_spec(), c, Dtype::float64)) {
    if (n.tensor.size() <= 64)
      os << fmt::format("\n  {} {} = {}", n.name, shape_text(n.tensor.dims), fmt::join(n.tensor.values, " "));
  }
}

namespace suite {
namespace {

std::string describe(const Property& property, const Verdict& verdict) {
  const Evidence& e = verdict.evidence;
  std::string text = fmt::format("{}: {}", property.id, property.title);
  if (verdict.outcome != Outcome::falsified)
    return fmt::format("{}\n  {}: {}", text, to_string(verdict.outcome), verdict.fault.message);
  text += fmt::format("\n  {}[{}] is {}, should be {} (error {:.3g}, bound {:.3g})", e.tensor,
                      fmt::join(e.index, ", "), e.actual, e.expected, e.error, e.bound);
  if (!e.transform.empty()) text += "\n  seen with: " + e.transform;
  return text;
}

// Whether it hands back its weights: one small call tells.
bool returns_weights(const std::function<Answer<double>(const Inputs<double>&)>& function) {
  const Matrix one = Matrix::Ones(1, 1);
  return !function(Inputs<double>{one, one, one, one, one, 1}).weights.empty();
}

}  // namespace

void check(std::string_view property_id,
           const std::function<Answer<double>(const Inputs<double>&)>& function) {
  const Property* property = find_property(property_id);
  if (property == nullptr) RC_FAIL(fmt::format("no property is called {}", property_id));
  const Subject subject{&multi_head_attention_spec(), Dtype::float64, returns_weights(function)};
  if (property->needs_returned_weights && !subject.returns_weights) return;  // it has none to speak of
  const Case c = *cases(*subject.spec, *property, subject.dtype);
  const auto candidate = in_process([&function]() -> AttentionFunction {
    return [&function](Inputs<double>& in) { return function(in); };
  });
  const Verdict verdict = evaluate(*property, subject, *candidate, c);
  if (verdict.discarded) RC_DISCARD("the case does not fit the property");
  if (verdict.outcome != Outcome::passed) RC_FAIL(describe(*property, verdict));
}

}  // namespace suite
}  // namespace attest
