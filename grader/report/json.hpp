// A report as JSON: schema "attest.report/1", described in report.schema.json.
#pragma once

#include "grader/report/report.hpp"

#include <nlohmann/json.hpp>

namespace attest {

// Tensors with more numbers than this, all of a call's together, are left out; their count stands in their place.
inline constexpr std::size_t kMostNumbers = 4096;

nlohmann::ordered_json to_json(const Report& report);

// One object on one line, without a line break at its end. Always valid UTF-8.
std::string json_line(const Report& report);

// Nested lists of a tensor's numbers, rounded to `dtype`; NaN and infinities are strings.
nlohmann::ordered_json to_json(const Tensor& tensor, Dtype dtype);

// {"x": [[...]], "n_heads": 1}: the arguments of a call.
nlohmann::ordered_json to_json(const Arguments& arguments, Dtype dtype);

}  // namespace attest
