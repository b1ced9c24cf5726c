#include "grader/report/json.hpp"

#include "grader/report/detail.hpp"
#include "grader/report/guidance.hpp"
#include "grader/report/numbers.hpp"
#include "grader/submission/text.hpp"

#include <cmath>
#include <functional>

namespace attest {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value, Dtype dtype = Dtype::float64) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return shortest(value, dtype);
}

// The submission's words were made printable where they came in; here it is made sure of.
Json text(const std::string& value) { return printable(value, std::string::npos); }

Json text_or_null(const std::string& value) { return value.empty() ? Json(nullptr) : text(value); }

Json points(const Points& value) { return {{"earned", value.earned}, {"possible", value.possible}}; }

std::size_t count(const Arguments& arguments) {
  std::size_t numbers = 0;
  for (const Named& argument : arguments) numbers += argument.tensor.values.size();
  return numbers;
}

Json error_json(const Report& report) {
  if (!report.error) return nullptr;
  const Fault& fault = *report.error;
  Json json = {{"kind", to_string(report.outcome)},
               {"message", text(fault.message)},
               {"file", text_or_null(fault.file)},
               {"line", fault.line > 0 ? Json(fault.line) : Json(nullptr)}};
  if (!fault.traceback.empty()) json["traceback"] = text(fault.traceback);
  return json;
}

Json shape_json(const Extents& shape) {
  Json json = Json::object();
  for (const auto& [symbol, extent] : shape) json[symbol] = extent;
  return json;
}

// In the order in which they are made.
Json calls_json(const std::vector<OtherCall>& calls, Dtype dtype) {
  Json list = Json::array();
  for (const OtherCall& call : calls) {
    Json json = {{"shape", shape_json(call.shape)}};
    if (count(call.arguments) <= kMostNumbers)
      json["inputs"] = to_json(call.arguments, dtype);
    else
      json["inputs_omitted"] = count(call.arguments);
    list.push_back(std::move(json));
  }
  return list;
}

Json counterexample_json(const PropertyReport& property, Dtype dtype) {
  const Counterexample& found = *property.counterexample;
  const Evidence& evidence = property.verdict.evidence;
  Json json = {{"token", found.token}, {"shape", shape_json(property.shape)}};

  // The call that the evidence is about: what a learner can type in and see the same.
  if (evidence.question < found.questions.size()) {
    const Arguments& arguments = found.questions[evidence.question].arguments;
    if (count(arguments) <= kMostNumbers)
      json["inputs"] = to_json(arguments, dtype);
    else
      json["inputs_omitted"] = count(arguments);
  }
  if (!property.called_with.empty() && count(property.called_with) <= kMostNumbers)
    json["called_with"] = to_json(property.called_with, dtype);
  json["irrelevant"] = found.irrelevant;
  if (property.verdict.fault.message.empty()) {  // there was an answer, and it is wrong
    json["where"] = {{"tensor", evidence.tensor}, {"index", evidence.index}};
    json["expected"] = number(evidence.expected, dtype);
    json["actual"] = number(evidence.actual, dtype);
    json["error"] = number(evidence.error);
    json["bound"] = number(evidence.bound);
  } else {
    const Fault& fault = property.verdict.fault;
    json["fault"] = {{"message", text(fault.message)},
                     {"file", text_or_null(fault.file)},
                     {"line", fault.line > 0 ? Json(fault.line) : Json(nullptr)}};
  }
  if (!property.before.empty()) json["before"] = calls_json(property.before, dtype);
  if (!property.after.empty()) json["after"] = calls_json(property.after, dtype);
  if (property.takes_more_calls) json["takes_more_calls"] = true;
  if (evidence.read_out) json["read_out"] = true;
  if (const auto& headings = guidance(property.id).headings; headings != Guidance{}.headings)
    json["headings"] = headings;
  json["transform"] = text_or_null(evidence.transform);
  json["trace"] = Json::object();
  std::size_t numbers = 0;
  for (const auto& [name, pair] : evidence.compared)
    numbers += pair.first.values.size() + pair.second.values.size();
  if (numbers > kMostNumbers) {
    json["trace_omitted"] = numbers;
  } else {
    for (const auto& [name, pair] : evidence.compared) {
      json["trace"][name] = {{"expected", to_json(pair.first, dtype)},
                             {"actual", to_json(pair.second, dtype)}};
    }
  }
  json["case_number"] = found.case_number;
  json["evaluations"] = found.evaluations;
  return json;
}

Json property_json(const PropertyReport& property, Dtype dtype) {
  Json json = {{"id", property.id},
               {"title", property.title},
               {"outcome", to_string(property.outcome)},
               {"group", property.group},
               {"skip_reason", text_or_null(property.skip_reason)}};
  if (property.advice) json["advice"] = true;
  if (!property.follows_from.empty()) json["follows_from"] = property.follows_from;
  if (!property.waits_for.empty()) json["waits_for"] = property.waits_for;
  json["cases"] = property.cases;
  json["points"] = points(property.points);
  json["counterexample"] = property.counterexample ? counterexample_json(property, dtype) : Json(nullptr);
  json["explanation"] = text_or_null(property.explanation);
  if (!property.look_at.empty()) json["look_at"] = text(property.look_at);
  if (!property.ask.empty()) json["ask"] = text(property.ask);
  json["reproduce"] = text_or_null(property.reproduce);
  return json;
}

Json limits_json(const Limits& limits) {
  return {{"load_cpu_s", limits.load_cpu_s},   {"compile_cpu_s", limits.compile_cpu_s},
          {"call_cpu_s", limits.call_cpu_s},   {"total_cpu_s", limits.total_cpu_s},
          {"wall_factor", limits.wall_factor}, {"total_wall_s", limits.total_wall_s},
          {"memory_mb", limits.memory_mb},     {"output_kb", limits.output_kb}};
}

Json environment_json(const Environment& environment) {
  return {{"attest", ATTEST_VERSION},
          {"python", text_or_null(environment.python)},
          {"numpy", text_or_null(environment.numpy)},
          {"blas", text_or_null(environment.blas)},
          {"compiler", text_or_null(environment.compiler)},
          {"cpu", text_or_null(environment.cpu)}};
}

Json bug_json(const BugReport& bug) {
  Json parameters = Json::object();
  for (const auto& [name, value] : bug.parameters) parameters[name] = number(value, Dtype::float64);
  Json equivalent = Json::array(), titles = Json::array();
  for (const BugReport::Alike& other : bug.equivalent) {
    equivalent.push_back(other.bug);
    titles.push_back(other.title);
  }
  Json json = {{"bug", bug.bug}, {"agreed", bug.agreed}, {"of", bug.of}, {"params", std::move(parameters)}};
  json["equivalent"] = std::move(equivalent);
  json["equivalent_titles"] = std::move(titles);
  if (!bug.title.empty()) json["title"] = bug.title;
  json["ask"] = bug.ask;
  if (!bug.fix.empty()) json["fix"] = bug.fix;
  return json;
}

Json place_json(const std::optional<CodePlace>& place) {
  if (!place) return nullptr;
  Json json = {{"name", text(place->name)},
               {"line", place->line > 0 ? Json(place->line) : Json(nullptr)},
               {"function", text_or_null(place->function)}};
  if (place->is_argument) json["argument"] = true;
  return json;
}

Json location_json(const LocationReport& location) {
  Json json = {{"stage", location.stage},
               {"right", place_json(location.right)},
               {"wrong", place_json(location.wrong)},
               {"missing", location.is_missing},
               {"text", text(location.text)}};
  if (location.right) json["right"]["stage"] = location.right_stage;
  return json;
}

}  // namespace

Json to_json(const Tensor& tensor, Dtype dtype) {
  std::size_t next = 0;  // row-major: the values in the order in which the lists close
  const std::function<Json(std::size_t)> build = [&](std::size_t axis) -> Json {
    if (axis == tensor.dims.size()) return number(tensor.values.at(next++), dtype);
    Json list = Json::array();
    for (Index i = 0; i < tensor.dims[axis]; ++i) list.push_back(build(axis + 1));
    return list;
  };
  return build(0);
}

Json to_json(const Arguments& arguments, Dtype dtype) {
  Json json = Json::object();
  for (const Named& argument : arguments) {
    json[argument.name] = argument.integer ? Json(static_cast<std::int64_t>(argument.tensor.values.at(0)))
                                           : to_json(argument.tensor, dtype);
  }
  return json;
}

Json to_json(const Report& report) {
  Json json = {{"schema", "attest.report/1"},
               {"version", ATTEST_VERSION},
               {"exercise", text_or_null(report.exercise)},
               {"submission",
                {{"id", text_or_null(report.id)},
                 {"file", text(report.file)},
                 {"language", report.language},
                 {"sha256", report.sha256}}},
               {"outcome", to_string(report.outcome)},
               {"error", error_json(report)},
               {"output_tail", text(report.output_tail)},
               {"score", report.score ? points(*report.score) : Json(nullptr)},
               {"detail", to_string(report.detail)},
               // A string: 64 bits do not fit a JavaScript number.
               {"seed", report.seed ? Json(std::to_string(*report.seed)) : Json(nullptr)},
               {"dtype", to_string(report.dtype)},
               {"cases", report.cases},
               {"wall_ms", std::round(report.wall_ms * 10) / 10},
               {"signature", report.signature},
               {"isolation", {{"level", report.isolation.level}, {"walls", report.isolation.walls}}},
               {"limits", limits_json(report.limits)},
               {"rubric_sha256", report.rubric_sha256},
               {"environment", environment_json(report.environment)},
               {"imports", Json::array()},
               {"properties", Json::array()},
               {"first_wrong_stage", report.location ? Json(report.location->stage) : Json(nullptr)},
               {"location", report.location ? location_json(*report.location) : Json(nullptr)},
               {"diagnosis", Json::array()},
               {"known", report.known},
               {"right_so_far", report.right_so_far},
               {"not_judged", report.not_judged},
               {"judged_in_part", report.judged_in_part},
               {"hint", text_or_null(report.hint)},
               {"advice", Json::array()}};
  if (!report.first_message.empty()) json["first_message"] = text(report.first_message);
  for (const PropertyReport& property : report.properties)
    json["properties"].push_back(property_json(property, report.dtype));
  for (const BugReport& bug : report.diagnosis) json["diagnosis"].push_back(bug_json(bug));
  for (const Import& import : report.imports)
    json["imports"].push_back({{"module", text(import.module)}, {"line", import.line}});
  for (const Advice& advice : report.advice)
    json["advice"].push_back({{"kind", advice.kind}, {"text", text(advice.text)}});
  return json;
}

std::string json_line(const Report& report) {
  return to_json(report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace attest
