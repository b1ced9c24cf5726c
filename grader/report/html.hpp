// Reports as one page that needs nothing but itself: the files of page/, which the build embeds, around the JSON records that they
// draw. No markup is made here, and what a record says cannot become any: see html_record.
#pragma once

#include "grader/report/report.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace attest {

// Up to the first record.
std::string html_begin();

// <script type="application/json" class="record">...</script> and a line break. In it every < is written \u003c, which JSON
// reads as the same character and HTML as none of its own: neither </script> nor <!-- can end or hide anything.
std::string html_record(const nlohmann::ordered_json& record);
std::string html_record(const Report& report);

// From the last record on.
std::string html_end();

}  // namespace attest
