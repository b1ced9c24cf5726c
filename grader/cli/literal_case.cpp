#include "grader/cli/literal_case.hpp"

#include "grader/exercises/nearest.hpp"
#include "grader/submission/submission.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

namespace attest {
namespace {

using Json = nlohmann::json;

double number(const Json& json, const std::string& role) {
  if (json.is_number()) return json.get<double>();
  if (json == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (json == "Infinity") return std::numeric_limits<double>::infinity();
  if (json == "-Infinity") return -std::numeric_limits<double>::infinity();
  throw UsageError(fmt::format("'{}' holds {}, which is not a number", role,
                               json.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

// Nested lists -> tensor; every list at one depth must be as long as the first.
void read_values(const Json& json, const std::string& role, std::size_t depth, Dims& dims,
                 std::vector<double>& values) {
  if (!json.is_array()) {
    if (depth != dims.size()) throw UsageError(fmt::format("'{}' has rows of different depth", role));
    values.push_back(number(json, role));
    return;
  }
  const auto length = static_cast<Index>(json.size());
  if (length == 0) throw UsageError(fmt::format("'{}' has an empty list", role));
  if (depth == dims.size()) {
    if (!values.empty() || depth == 3)
      throw UsageError(fmt::format("'{}' has rows of different depth", role));
    dims.push_back(length);
  } else if (dims[depth] != length) {
    throw UsageError(fmt::format("'{}' has rows of different length: {} and {}", role, dims[depth], length));
  }
  for (const Json& element : json) read_values(element, role, depth + 1, dims, values);
}

std::string roles_text(const Spec& spec) {
  std::vector<std::string> roles;
  for (const ArgumentSpec& argument : spec.arguments) roles.push_back(argument.role);
  return fmt::format("{}", fmt::join(roles, ", "));
}

Case literal(const Spec& spec, const Json& inputs) {
  Arguments arguments;
  for (const ArgumentSpec& argument : spec.arguments) {
    if (!inputs.contains(argument.role)) {
      throw UsageError(
          fmt::format("'{}' is missing; {} needs {}", argument.role, spec.slug, roles_text(spec)));
    }
    Named named{argument.role, {}, argument.integer};
    std::vector<double> values;
    read_values(inputs.at(argument.role), argument.role, 0, named.tensor.dims, values);
    named.tensor.values = values;
    const std::size_t rank = argument.integer ? 0 : argument.dims.size();
    if (named.tensor.dims.size() != rank) {
      throw UsageError(
          fmt::format("'{}' has shape {}; it must be {}", argument.role, shape_text(named.tensor.dims),
                      argument.integer ? "one number" : fmt::format("({})", fmt::join(argument.dims, ", "))));
    }
    if (argument.integer && !(named.tensor.values[0] >= 1 && named.tensor.values[0] <= 4096)) {
      throw UsageError(fmt::format("'{}' must be a whole number from 1 to 4096", argument.role));
    }
    arguments.push_back(std::move(named));
  }
  for (const auto& [key, value] : inputs.items()) {
    if (spec.argument(key) == nullptr)
      throw UsageError(fmt::format("nothing is called '{}'; {} needs {}", key, spec.slug, roles_text(spec)));
  }
  Case c;
  const Extents extents = extents_of(spec, arguments);
  for (const std::string& symbol : spec.free_symbols()) {
    if (const auto found = extents.find(symbol); found != extents.end()) c.free[symbol] = found->second;
  }
  c.literal = std::make_shared<const Arguments>(std::move(arguments));
  check_fits(spec, c);
  return c;
}

// The exercise whose arguments have just these names; the default one before others.
const Exercise& exercise_for(const Json& inputs, const std::string& slug, const Ladder& ladder) {
  if (!slug.empty()) {
    if (const Exercise* exercise = ladder.find(slug)) return *exercise;
    throw UsageError(fmt::format("there is no exercise '{}'{}", slug, did_you_mean(slug, ladder.slugs())));
  }
  const auto fits = [&](const Exercise& exercise) {
    std::set<std::string> roles, keys;
    for (const ArgumentSpec& argument : exercise.spec.arguments) roles.insert(argument.role);
    for (const auto& [key, value] : inputs.items()) keys.insert(key);
    return roles == keys;
  };
  if (fits(ladder.preferred())) return ladder.preferred();
  for (const Exercise& exercise : ladder.exercises) {
    if (fits(exercise)) return exercise;
  }
  return ladder.preferred();  // its message says what is missing
}

OneCase read_file(const std::string& path, const std::string& slug, const Ladder& ladder) {
  std::error_code none;
  std::ifstream file(path);
  if (!file || !std::filesystem::is_regular_file(path, none))
    throw UsageError(fmt::format("{}: cannot be read; --case @FILE takes a JSON file with the inputs", path));
  try {
    Json json = Json::parse(file);
    if (json.is_object() && json.contains("inputs")) json = Json(json["inputs"]);
    if (!json.is_object()) throw UsageError("expected an object, {\"x\": [[1, 2]], ...}");
    const Exercise& exercise = exercise_for(json, slug, ladder);
    return {exercise.spec.slug, std::nullopt, literal(exercise.spec, json)};
  } catch (const Json::parse_error& error) {
    throw UsageError(fmt::format("{}: this is not JSON: something is wrong at byte {}", path, error.byte));
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

OneCase read_case(const std::string& text, const std::string& slug, const Ladder& ladder) {
  if (text.starts_with('@')) return read_file(text.substr(1), slug, ladder);
  try {
    ParsedToken parsed = parse_token(text);
    const Exercise* exercise = ladder.find(parsed.slug);
    if (exercise == nullptr) {
      throw UsageError(fmt::format("the case is of an exercise '{}', which is not here{}", parsed.slug,
                                   did_you_mean(parsed.slug, ladder.slugs())));
    }
    if (!slug.empty() && slug != parsed.slug) {
      throw UsageError(
          fmt::format("the case is of exercise '{}', but --exercise says '{}'", parsed.slug, slug));
    }
    check_fits(exercise->spec, parsed.value);
    return {parsed.slug, parsed.dtype, std::move(parsed.value)};
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format(
        "--case: {}\n(a token comes from a report's 'again' line; --case @FILE takes JSON)", error.what()));
  }
}

}  // namespace attest
