#include "grader/report/html.hpp"

#include "grader/report/json.hpp"

#include <span>
#include <string_view>

namespace attest {
namespace {

#include "page.inc"

std::string joined_parts(std::span<const std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

}  // namespace

std::string html_begin() { return joined_parts(kPageBefore); }

std::string html_record(const nlohmann::ordered_json& record) {
  const std::string json = record.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string text = R"(<script type="application/json" class="record">)";
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";  // JSON has this character inside strings only
    else
      text += c;
  }
  return text + "</script>\n";
}

std::string html_record(const Report& report) { return html_record(to_json(report)); }

std::string html_end() { return joined_parts(kPageAfter); }

}  // namespace attest
