// SPDX-License-Identifier: Apache-2.0
// The textbook rule through the whole gate: p and d of a report equal SciPy's on the 20 sample pairs of
// tests/fixtures/stats/welch_pairs.json (made by tests/oracles/stats/make_welch_vectors.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;

record::Run run_with(const std::string& id, const std::vector<double>& samples) {
  record::Run run = gate::testing::empty_run(id);
  gate::testing::add_case(run, "g/one/v", {1e5, 1e5});
  run.cases.front().metrics.front().unit = "points";  // some of the samples are not positive, as no times are
  // The textbook pools whatever it is given: the samples are dealt to two processes.
  for (std::size_t process = 0; process < 2; ++process) {
    auto& time = gate::testing::result_of(run, process, "g/one/v").measurements.at(0);
    time.samples.clear();
    for (std::size_t i = process; i < samples.size(); i += 2) time.samples.push_back(samples[i]);
    time.summary->n = static_cast<std::int64_t>(time.samples.size());
  }
  return run;
}

TEST(TextbookRule, GivesSciPysPAndD) {
  std::ifstream file(std::string(TORCHGATE_TESTS_DIR) + "/fixtures/stats/welch_pairs.json");
  const auto vectors = nlohmann::json::parse(file);
  ASSERT_EQ(vectors.at("pairs").size(), 20U);
  policy::Policy policy;
  policy.rule = "textbook";
  for (const auto& pair : vectors.at("pairs")) {
    const auto name = pair.at("name").get<std::string>();
    const record::Run before = run_with("aaaa", pair.at("before").get<std::vector<double>>());
    const record::Run after = run_with("bbbb", pair.at("after").get<std::vector<double>>());
    gate::Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    const auto report = gate::judge_stored(comparison, policy);
    ASSERT_TRUE(report.ok()) << name;
    ASSERT_EQ(report->findings.size(), 1U) << name;
    const reports::Finding& finding = report->findings.front();
    const auto p = pair.at("p").get<double>();
    const auto d = pair.at("d").get<double>();
    EXPECT_NEAR(finding.p.value(), p, 1e-9 * std::max(p, 1e-300)) << name;
    EXPECT_NEAR(finding.cohens_d.value(), d, 1e-9 * std::abs(d)) << name;
    const bool regressed = p < 0.05 && d > 0.2;
    EXPECT_EQ(finding.verdict == reports::Verdict::regressed, regressed) << name;
  }
}

TEST(TextbookRule, NamesTheRawSamplesThatItHasNot) {
  policy::Policy policy;
  policy.rule = "textbook";
  record::Run before = run_with("aaaa", {1, 2, 3, 4});
  const record::Run after = run_with("bbbb", {1, 2, 3, 4});
  for (std::size_t process = 0; process < 2; ++process)
    gate::testing::result_of(before, process, "g/one/v").measurements.at(0).samples.clear();
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = gate::judge_stored(comparison, policy);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->headline, "no case could be judged: the raw samples of a side were not kept");
  EXPECT_EQ(facts::words_of(report->findings.at(0).reasons).front(), "the raw samples of a side were not kept");
}

}  // namespace
