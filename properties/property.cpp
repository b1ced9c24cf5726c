#include "properties/property.hpp"

#include "properties/catalogue/families.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attest {
namespace {

std::vector<Property> in_order() {
  std::vector<Property> all;
  // The value path before the weights: they may have to be read out through it.
  for (auto* family :
       {output_properties, state_properties, value_properties, head_properties, weight_properties,
        causality_properties, score_properties, symmetry_properties, separation_properties,
        numerics_properties, softmax_properties, mask_properties, split_properties, reference_properties}) {
    for (Property& p : family()) all.push_back(std::move(p));
  }
  return all;
}

Verdict wrong_shape(std::size_t question, std::string_view kind, std::string message) {
  Verdict v;
  v.outcome = Outcome::wrong_shape;
  v.evidence.kind = kind;
  v.evidence.question = question;
  v.fault.message = std::move(message);
  return v;
}

// nullopt: every promised result is there and has its shape.
std::optional<Verdict> misshapen(const Subject& subject, const Question& question, const Reply& reply,
                                 std::size_t number) {
  const Spec& spec = subject.spec->call(question.call);
  for (const ResultSpec& promised : spec.results) {
    const Tensor* result = find(reply.results, promised.name);
    if (result == nullptr) {
      if (promised.optional && !(promised.name == "weights" && subject.returns_weights)) continue;
      return wrong_shape(
          number, promised.name,
          fmt::format("{} is missing from this answer, though another call returned it", promised.name));
    }
    const Dims shape = resolve(promised.dims, spec, question.arguments);
    if (result->dims == shape) continue;
    const bool swapped = std::any_of(reply.results.begin(), reply.results.end(), [&](const Named& other) {
      const ResultSpec* its = spec.result(other.name);
      return its != nullptr && other.name != promised.name && other.tensor.dims == shape &&
             result->dims == resolve(its->dims, spec, question.arguments);
    });
    Verdict v = wrong_shape(number, promised.name,
                            shape_complaint(promised, *result, shape) +
                                (swapped ? ": are the two results in the wrong order?" : ""));
    v.evidence.tensor = promised.name;
    return v;
  }
  return std::nullopt;
}

}  // namespace

const std::vector<Property>& catalogue() {
  static const std::vector<Property> all = in_order();
  return all;
}

const Property* find_property(std::string_view id) {
  const auto& all = catalogue();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Property& p) { return p.id == id; });
  return it == all.end() ? nullptr : &*it;
}

Verdict judge_replies(const Subject& subject, std::span<const Question> questions,
                      std::span<const Reply> replies) {
  for (std::size_t q = 0; q < std::min(questions.size(), replies.size()); ++q) {
    Verdict v;
    if (replies[q].outcome != Outcome::passed) {
      v.outcome = replies[q].outcome;
      v.evidence.kind = to_string(replies[q].outcome);
      v.evidence.question = q;
      v.fault = replies[q].fault;
    } else if (auto shape = misshapen(subject, questions[q], replies[q], q)) {
      v = std::move(*shape);
    } else {
      continue;
    }
    v.discarded = subject.tolerates_faults;  // reported once already
    return v;
  }
  return Verdict::pass();
}

}  // namespace attest
