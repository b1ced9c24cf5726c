// The page as a file: what is in it can be read out again, and nothing that a submission says becomes markup. What the page makes
// of it is looked at in a browser, by page_test.py.
#include "grader/report/html.hpp"

#include "grader/report/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace attest {
namespace {

constexpr const char* kHostile = "</script><img src=x onerror=alert(1)><!-- <script> &lt; ]]>";

Report hostile_report() {
  Report report;
  report.exercise = "multi-head";
  report.file = kHostile;
  report.language = "python";
  report.sha256 = std::string(64, 'a');
  report.outcome = Outcome::raised;
  report.error = Fault{kHostile, kHostile, 7, kHostile};
  report.output_tail = std::string("one\n") + kHostile;
  report.first_message = kHostile;
  report.signature = kHostile;
  report.score = Points{0, 100};
  report.environment.compiler = kHostile;
  PropertyReport property;
  property.id = "output/shape";
  property.title = property.group = property.explanation = property.reproduce = property.ask = kHostile;
  property.outcome = property.verdict.outcome = Outcome::raised;
  property.verdict.fault = *report.error;
  property.counterexample = Counterexample{};
  report.properties = {property};
  report.advice = {{"actionable", kHostile}};
  return report;
}

// What a browser finds in the page's record elements: each ends at the first </script.
std::vector<std::string> records_in(const std::string& page) {
  const std::string start = R"(<script type="application/json" class="record">)";
  std::vector<std::string> records;
  for (std::size_t at = page.find(start); at != std::string::npos; at = page.find(start, at)) {
    at += start.size();
    records.push_back(page.substr(at, page.find("</script", at) - at));
  }
  return records;
}

TEST(Html, TheRecordReadOutOfThePageIsTheJsonRecord) {
  const Report report = hostile_report();
  const auto records = records_in(html_begin() + html_record(report) + html_end());
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(nlohmann::json::parse(records[0]), nlohmann::json::parse(json_line(report)));
}

TEST(Html, NothingInARecordIsMarkup) {
  const std::string page = html_begin() + html_record(hostile_report()) + html_end();
  EXPECT_EQ(records_in(page)[0].find('<'), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
}

TEST(Html, SeveralRecordsStandInOnePageInTheirOrder) {
  Report first = hostile_report(), second = hostile_report();
  first.file = "a.py";
  second.file = "b.py";
  const auto records = records_in(html_begin() + html_record(first) + html_record(second) + html_end());
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(nlohmann::json::parse(records[0])["submission"]["file"], "a.py");
  EXPECT_EQ(nlohmann::json::parse(records[1])["submission"]["file"], "b.py");
}

TEST(Html, ThePageIsWholeAndNeedsNothingButItself) {
  const std::string begin = html_begin(), end = html_end();
  EXPECT_THAT(begin, testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(end, testing::EndsWith("</html>\n"));
  for (const char* outside : {"<link rel=\"stylesheet\"", "<script src", "@import", "url(http", "fetch(",
                              "XMLHttpRequest", "innerHTML", "insertAdjacentHTML", "document.write"}) {
    EXPECT_EQ((begin + end).find(outside), std::string::npos) << outside;
  }
}

}  // namespace
}  // namespace attest
