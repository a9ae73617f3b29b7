// SPDX-License-Identifier: Apache-2.0
// A suite that moves as a whole, with a history and pairs: a slower machine is corrected for, slower code is not.
#include "ci/gate/drift/suite_drift.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ci/gate/judge.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::mentions;
using gate::testing::paired_run;
using reports::Verdict;

constexpr int cases = 24;
std::string name_of(int i) {
  return "g/one/v" + std::to_string(i);
}

record::Run run_of(const std::string& id, double factor, unsigned seed, double first_case = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 0.002);
  record::Run run = empty_run(id);
  for (int i = 0; i < cases; ++i)
    add_case(run, name_of(i), around(1e5 * factor * (i == 0 ? first_case : 1) * std::exp(normal(random)), 0.001));
  return run;
}

struct History {
  std::vector<record::Run> stored;
  record::Run current;
  policy::Policy policy;

  explicit History(record::Run now) : current(std::move(now)) {
    for (unsigned k = 0; k < 6; ++k) stored.push_back(run_of("run" + std::to_string(k), 1, 10 + k));
  }
  [[nodiscard]] gate::Comparison comparison(bool confirmable, const record::Run* pairs = nullptr) const {
    gate::Comparison comparison;
    for (const auto& run : stored) comparison.baseline.push_back(&run);
    comparison.current = &current;
    comparison.confirmable = confirmable;
    comparison.pairs = pairs;
    return comparison;
  }
  [[nodiscard]] reports::Report judge(bool confirmable, const record::Run* pairs = nullptr) const {
    return gate::judge_stored(comparison(confirmable, pairs), policy).value();
  }
  [[nodiscard]] std::vector<std::string> suspects() const {
    return gate::cases_for_pairs(comparison(true), policy)->suspects;
  }
};

record::Run pairs_of(const std::vector<std::string>& names, double factor) {
  record::Run pairs = paired_run("pppp");
  for (const std::string& name : names) {
    std::vector<double> before;
    std::vector<double> after;
    for (int i = 0; i < 20; ++i) {
      before.push_back(1e5 * (1 + 0.001 * (i % 5)));
      after.push_back(1e5 * factor * (1 + 0.001 * (i % 7)));
    }
    add_paired_case(pairs, name, before, after);
  }
  return pairs;
}

std::int64_t count(const reports::Report& report, Verdict verdict) {
  return std::count_if(report.findings.begin(), report.findings.end(),
                       [&](const auto& f) { return f.verdict == verdict; });
}

TEST(SuiteDrift, IsCorrectedOnlyWherePairsCanTellItFromTheCode) {
  const History slower(run_of("cccc", 1.08, 99));
  EXPECT_EQ(slower.judge(false).suspects, cases);
  const auto report = slower.judge(true);
  EXPECT_LE(report.suspects, 1);
  EXPECT_TRUE(mentions(report.doubts, " %: corrected as machine drift; not verified"));
  const auto wanted = slower.suspects();
  EXPECT_GE(wanted.size(), 5U);  // the probes
  EXPECT_EQ(slower.suspects(), wanted) << "the same run draws the same probes";
}

TEST(SuiteDrift, ProbesThatDidNotMoveBlameTheMachine) {
  const History slower(run_of("cccc", 1.08, 99));
  const auto probes = slower.suspects();
  const record::Run pairs = pairs_of(probes, 1.0);
  const auto report = slower.judge(true, &pairs);
  EXPECT_EQ(count(report, Verdict::suspected), 0);
  EXPECT_TRUE(mentions(report.notes, "corrected as machine drift"));
  EXPECT_EQ(report.outcome, reports::Outcome::pass);
}

TEST(SuiteDrift, ProbesThatMovedWithTheSuiteBlameTheChange) {
  const History slower(run_of("cccc", 1.08, 99));
  const auto probes = slower.suspects();
  const record::Run pairs = pairs_of(probes, 1.08);
  const auto report = slower.judge(true, &pairs);
  EXPECT_TRUE(mentions(report.doubts, "so did probes in interleaved pairs (+"));
  EXPECT_EQ(count(report, Verdict::regressed), static_cast<std::int64_t>(probes.size()));
  EXPECT_EQ(count(report, Verdict::suspected), cases - static_cast<std::int64_t>(probes.size()));
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
}

// A budget that ended after two of them: a change that slows everything would hide in the correction.
TEST(SuiteDrift, PairsOfTooFewProbesCorrectNothing) {
  const History slower(run_of("cccc", 1.08, 99));
  auto probes = slower.suspects();
  probes.resize(2);
  const record::Run pairs = pairs_of(probes, 1.08);
  const auto report = slower.judge(true, &pairs);
  EXPECT_TRUE(mentions(report.doubts, "; not corrected"));
  EXPECT_EQ(count(report, Verdict::suspected), cases - 2);
  EXPECT_EQ(report.outcome, reports::Outcome::fail);
}

TEST(SuiteDrift, ARegressionInADriftingRunIsStillASuspect) {
  const History slower(run_of("cccc", 1.005, 99, 1.05));
  const auto report = slower.judge(true);
  const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [](const auto& f) { return f.case_name == name_of(0); });
  EXPECT_EQ(found->verdict, Verdict::suspected);
  EXPECT_TRUE(mentions(report.notes, " %: corrected as machine drift"));
}

TEST(SuiteDrift, NeedsTwentyCasesAndThreeProbes) {
  std::vector<gate::CaseSeries> few(19, {"c", {1, 1, 1.1}});
  EXPECT_FALSE(gate::suite_drift(few, "id"));
  few.push_back({"d", {1, 1, 1.1}});
  EXPECT_NEAR(gate::suite_drift(few, "id")->shifts.back(), 0.1, 1e-12);
  EXPECT_FALSE(gate::probed_shift({"g/one/v1", "g/one/v2"}, pairs_of({"g/one/v1", "g/one/v2"}, 1.1)));
  EXPECT_TRUE(gate::shift_is_real(0.08, 0.05));
  EXPECT_FALSE(gate::shift_is_real(0.08, 0.03));
  EXPECT_FALSE(gate::shift_is_real(0.08, -0.05));
  EXPECT_TRUE(gate::shift_is_real(-0.08, -0.05));
}

}  // namespace
