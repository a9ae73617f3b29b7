// SPDX-License-Identifier: Apache-2.0
#include "reports/json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

using nlohmann::json;

json rendered(const Report& report) {
  return json::parse(render_json(report));
}

std::set<std::string> keys(const json& object) {
  std::set<std::string> keys;
  for (const auto& item : object.items()) keys.insert(item.key());
  return keys;
}

TEST(JsonReport, NamesItsSchema) {
  EXPECT_EQ(rendered(Report{})["schema"], "torchgate.report/1");
}

TEST(JsonReport, AKeyIsNeverMissing) {
  const json empty = rendered(models::unknown_everywhere());
  const json full = rendered(models::confirmed_regression());
  EXPECT_EQ(keys(empty), keys(full));
  EXPECT_EQ(keys(empty["findings"][0]), keys(full["findings"][0]));
  EXPECT_EQ(keys(empty["before"]), keys(full["before"]));
  EXPECT_EQ(keys(empty["findings"][1]["after"]), keys(full["findings"][0]["after"]));
  EXPECT_EQ(keys(empty["findings"][1]["confirmation"]), keys(full["findings"][0]["confirmation"]));
  EXPECT_EQ(keys(empty["findings"][1]["textbook"]), keys(full["findings"][0]["textbook"]));
}

TEST(JsonReport, UnknownIsNull) {
  const json finding = rendered(models::unknown_everywhere())["findings"][0];
  for (const char* key : {"before", "after", "change", "interval", "p", "alpha", "cohens_d", "smallest_detectable",
                          "processes_needed", "textbook", "confirmation"}) {
    EXPECT_TRUE(finding[key].is_null()) << key;
  }
}

TEST(JsonReport, NotANumberIsNullToo) {
  const json finding = rendered(models::unknown_everywhere())["findings"][1];
  EXPECT_TRUE(finding["change"].is_null());
  EXPECT_TRUE(finding["before"]["value"].is_null());
  EXPECT_TRUE(finding["interval"]["low"].is_null());
}

TEST(JsonReport, NumbersAreNotRounded) {
  const Report report = models::confirmed_regression();
  const json finding = rendered(report)["findings"][0];
  EXPECT_EQ(finding["after"]["value"].get<double>(), report.findings[0].after->value);
  EXPECT_EQ(finding["p"].get<double>(), *report.findings[0].p);
  EXPECT_EQ(finding["interval"]["high"].get<double>(), report.findings[0].interval->high);
  EXPECT_EQ(finding["after"]["process_values"].get<std::vector<double>>(), report.findings[0].after->process_values);
}

TEST(JsonReport, IsAsciiWhateverTheNames) {
  const std::string text = render_json(models::hostile_names());
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  EXPECT_EQ(json::parse(text)["findings"][0]["case"], models::hostile_names().findings[0].case_name);
}

TEST(JsonReport, VerdictsHaveTheNamesOfTheDesign) {
  std::set<std::string> verdicts;
  const json report = rendered(models::unknown_everywhere());
  for (const json& finding : report["findings"]) verdicts.insert(finding["verdict"]);
  EXPECT_EQ(verdicts, (std::set<std::string>{"failed", "wrong", "missing", "regressed", "suspected", "claim_broken",
                                             "changed", "inconclusive", "improved", "equivalent", "new", "skipped"}));
}

}  // namespace
}  // namespace torchgate::reports
