// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/facts/about_outcome.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_runs.hpp"
#include "reports/facts/about_settings.hpp"
#include "reports/facts/about_tests.hpp"
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

TEST(JsonReport, SaysEachSentenceAsAFactToo) {
  Report report = models::confirmed_regression();
  report.headline = facts::over_budget("g/v", "time", {facts::and_more(2)});
  report.doubts = {Doubt(facts::of_runs({"baseline"}, facts::run_stopped), DoubtKind::incomplete)};
  report.notes = {"from a file", facts::waiver_needs_number("time", Verdict::not_comparable)};
  report.findings[0].reasons = {facts::within_of_pairs(0.05, 20), facts::test(stats::Reason::one_process),
                                facts::above_budget({2e6, "ns"}, "1 ms")};
  const json document = rendered(report);
  EXPECT_EQ(document["headline_facts"], json::parse(R"([{"kind": "over_budget", "case": "g/v", "metric": "time",
                                                         "others": [{"kind": "and_more", "others": 2}]}])"));
  EXPECT_EQ(document["doubts"], json::array({"baseline: was stopped before its plan was complete"}));
  EXPECT_EQ(document["doubt_facts"],
            json::parse(R"([{"kind": "of_runs", "runs": ["baseline"], "what": {"kind": "run_stopped"}}])"));
  EXPECT_EQ(document["note_facts"], json::parse(R"([{"kind": "said", "text": "from a file"},
      {"kind": "waiver_needs_number", "metric": "time", "verdict": "not_comparable"}])"));
  const json finding = document["findings"][0];
  EXPECT_EQ(finding["reasons"][0], "within ±5 % at 20 pairs");
  EXPECT_EQ(finding["reason_facts"], json::parse(R"([{"kind": "within_of_pairs", "margin": 0.05, "pairs": 20},
      {"kind": "test", "reason": "one_process"},
      {"kind": "above_budget", "value": {"value": 2000000.0, "unit": "ns"}, "budget": "1 ms"}])"));
  EXPECT_EQ(finding["cause_facts"].size(), finding["causes"].size());
}

TEST(JsonReport, TheNoiseOfASide) {
  const json below = rendered(models::below_gate())["findings"][0];
  EXPECT_EQ(below["before"]["noise"]["iteration_sd"], 0.0213);
  EXPECT_EQ(below["before"]["noise"]["run_sd"], 0.0144);
  EXPECT_EQ(below["after"]["noise"]["floored"], json::array({"process"}));
  const json after = rendered(models::suspected_unconfirmed())["findings"][0]["after"]["noise"];
  EXPECT_TRUE(after["run_sd"].is_null());
  EXPECT_EQ(after["flags"], json::array({"not_steady", "two_modes"}));
  EXPECT_EQ(after["two_modes_in"], 4);
  EXPECT_EQ(after["drift_in"], 0);
  EXPECT_EQ(after["modes"]["upper_share"], 0.44);
  EXPECT_EQ(after["outliers"], 3);
  EXPECT_TRUE(rendered(models::exact_change())["findings"][0]["before"]["noise"].is_null());
  Report unknown = models::below_gate();
  unknown.findings[0].after->noise = Noise{};
  const json nothing = rendered(unknown)["findings"][0]["after"]["noise"];
  EXPECT_TRUE(nothing["drift_in"].is_null()) << "not looked at is not 0";
  EXPECT_TRUE(nothing["outliers"].is_null());
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
  EXPECT_EQ(verdicts, (std::set<std::string>{"failed", "wrong", "missing", "not_comparable", "regressed", "suspected",
                                             "claim_broken", "changed", "inconclusive", "improved", "equivalent",
                                             "unchanged", "new", "skipped"}));
}

}  // namespace
}  // namespace torchgate::reports
