#include "grader/worker/signature.hpp"

#include "grader/submission/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <numeric>
#include <string_view>

namespace attest {
namespace {

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

// Levenshtein's distance.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

// How unlike the entry a function is. One parameter more or less weighs as much as a whole word of the name: what a function
// takes says more than what it is called.
int distance(const Spec& spec, const Definition& definition) {
  const int more_or_less =
      std::abs(static_cast<int>(parameters(spec).size()) - static_cast<int>(definition.parameters.size()));
  return edit_distance(spec.entry, definition.name) + 12 * more_or_less;
}

// The arguments in the order in which the found function has them, as far as names tell; the roles' own order otherwise.
std::string forwarded(const Spec& spec, const Definition& definition) {
  const std::vector<std::string> names = parameters(spec);
  const bool known = std::all_of(definition.parameters.begin(), definition.parameters.end(),
                                 [&](const std::string& parameter) {
                                   return std::find(names.begin(), names.end(), parameter) != names.end();
                                 });
  return join(known && !definition.parameters.empty() ? definition.parameters : names);
}

std::string adapter(const Spec& spec, Language language, const Definition& nearest) {
  const std::string call = nearest.name + "(" + forwarded(spec, nearest) + ")";
  const std::string head = signature_text(spec, language);
  return language == Language::python ? head + "\n    return " + call
                                      : head + " {\n  return " + call + ";\n}";
}

std::string plain(std::string name) {
  std::erase(name, '_');
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// Of an array its number of axes: what a C++ type says.
template <class Named>
bool have_the_same_types(const std::vector<Named>& one, const std::vector<Named>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const Named& a, const Named& b) { return a.dims.size() == b.dims.size(); });
}

}  // namespace

bool has_parameters_of(const Definition& definition, const Spec& spec) {
  const std::vector<std::string> names = parameters(spec);
  return std::equal(names.begin(), names.end(), definition.parameters.begin(), definition.parameters.end(),
                    [](const std::string& a, const std::string& b) { return plain(a) == plain(b); });
}

bool is_called_alike(const Spec& one, const Spec& other, Language language) {
  const auto results = [](const Spec& spec) {
    std::vector<std::pair<std::string, bool>> all;
    for (const ResultSpec& result : spec.results) all.emplace_back(result.name, result.optional);
    return all;
  };
  return one.entry == other.entry && one.calling.plan.empty() && other.calling.plan.empty() &&
         one.also.empty() && other.also.empty() && parameters(one) == parameters(other) &&
         results(one) == results(other) &&
         (language == Language::python || (have_the_same_types(one.arguments, other.arguments) &&
                                           have_the_same_types(one.results, other.results)));
}

const Spec* way_of_calling(const Spec& spec, const std::vector<const Spec*>& specs,
                           const std::vector<Definition>& found) {
  const Spec* fits = nullptr;
  for (const Spec* other : specs) {
    if (other->slug != spec.slug || other->entry != spec.entry || !other->calling.plan.empty()) continue;
    for (const Definition& own : found) {
      if (own.name != other->entry || own.parameters.size() != parameters(*other).size()) continue;
      if (has_parameters_of(own, *other)) return other;
      if (fits == nullptr) fits = other;
    }
  }
  return fits == nullptr ? &spec : fits;
}

std::vector<std::string> parameters(const Spec& spec) {
  if (!spec.calling.plan.empty()) return spec.calling.parameters;
  std::vector<std::string> names;
  for (const ArgumentSpec& argument : spec.arguments) names.push_back(argument.role);
  return names;
}

std::string call_text(const Spec& spec) {
  return spec.calling.text.empty() ? spec.entry + "(" + join(parameters(spec)) + ")" : spec.calling.text;
}

std::string signature_text(const Spec& spec, Language language) {
  if (!spec.calling.plan.empty()) return call_text(spec);
  if (language == Language::python) return "def " + call_text(spec) + ":";
  std::vector<std::string> parameters;
  for (const ArgumentSpec& argument : spec.arguments) {
    const char* type = argument.integer            ? "attest::Index "
                       : argument.dims.size() == 3 ? "const attest::Heads& "
                                                   : "const attest::Matrix& ";
    parameters.push_back(type + argument.role);
  }
  const std::string result = spec.results.size() > 1                                     ? "attest::Attention"
                             : !spec.results.empty() && spec.results[0].dims.size() == 3 ? "attest::Heads"
                                                                                         : "attest::Matrix";
  return result + " " + spec.entry + "(" + join(parameters) + ")";
}

Problem no_entry(const std::string& file, Language language, const std::vector<const Spec*>& specs,
                 const std::vector<Definition>& found) {
  Problem problem;
  problem.outcome = Outcome::no_entry;
  problem.fault.file = printable_line(file);
  std::vector<std::string> wanted;
  const std::string* exercise = nullptr;
  for (const Spec* spec : specs) {  // the first way of calling each exercise stands for all
    if (exercise == nullptr || *exercise != spec->slug) wanted.push_back(call_text(*spec));
    exercise = &spec->slug;
  }
  const std::string want = wanted.size() == 1 ? wanted[0] : "one of " + join(wanted);

  std::vector<std::string> names;
  const Definition* nearest = nullptr;
  const Spec* wish = specs.empty() ? nullptr : specs.front();
  int best = 0;
  for (const Definition& definition : found) {
    names.push_back(printable_line(definition.name + "(" + join(definition.parameters) + ")", 200));
    for (const Spec* spec : specs) {
      if (!spec->calling.plan.empty() && spec != wish) continue;  // nothing to put in front of a function
      const int d = distance(*spec, definition);
      if (nearest == nullptr || d < best) nearest = &definition, wish = spec, best = d;
    }
  }
  if (found.empty()) {
    problem.fault.message = "the file defines no function; " + want + " is what will be called";
  } else {
    problem.fault.message = "the file defines " + join(names) + "; " + want + " is what will be called";
  }
  if (nearest != nullptr && wish->calling.plan.empty()) {
    problem.fault.line = nearest->line;
    Definition safe = *nearest;
    safe.name = printable_line(safe.name, 200);
    problem.advice =
        "If " + safe.name + " is your answer, rename it or add:\n" + adapter(*wish, language, safe);
  } else if (wish != nullptr) {
    problem.advice =
        (found.empty() ? "Start with:\n" : "What is expected:\n") + signature_text(*wish, language);
  }
  return problem;
}

Problem wrong_signature(const std::string& file, Language language, const Spec& spec,
                        const std::string& parameters, int line) {
  Problem problem;
  problem.outcome = Outcome::raised;
  problem.fault.file = printable_line(file);
  problem.fault.line = line;
  if (!spec.calling.plan.empty()) {
    problem.fault.message = spec.entry + " cannot be called as " + call_text(spec) +
                            (parameters.empty() ? "" : "; it has the parameters (" + parameters + ")");
    return problem;
  }
  problem.fault.message =
      spec.entry +
      (parameters.empty() ? " has other parameters" : " has the parameters (" + parameters + ")") +
      "; it will be called as " + call_text(spec);
  problem.advice = "What is expected:\n" + signature_text(spec, language);
  return problem;
}

}  // namespace attest
