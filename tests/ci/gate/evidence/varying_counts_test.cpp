// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/varying_counts.hpp"

#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "harness/record/imported.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;

// A run of files with one case, which counts these bytes in its processes.
record::Run counting(const std::string& id, const std::vector<double>& bytes) {
  record::Run run = empty_run(id);
  run.plan.profile = record::imported_profile;
  constexpr int processes = 5;
  add_case(run, "g/one/bind", wobble(id == "aaaa" ? 1e5 : 1.0001e5, 1, processes));
  run.cases.front().metrics.push_back(
      {"allocated_bytes", "bytes", record::Direction::lower_is_better, record::MetricKind::exact, false});
  add_exact(run, "g/one/bind", "allocated_bytes", bytes.front());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (record::Measurement& each : result_of(run, i, "g/one/bind").measurements)
      if (each.metric == "allocated_bytes") each.value = bytes[i];
  return run;
}

// Of each process, the values of one metric over its samples.
record::Run sampling(const std::string& id, double low, double high) {
  record::Run run = counting(id, {low});
  for (record::Metric& metric : run.cases.front().metrics) {
    if (metric.name != "allocated_bytes") continue;
    metric.name = "allocated_bytes_sampled";
    metric.kind = record::MetricKind::timed;
  }
  for (record::Process& process : run.processes) {
    record::Measurement& last = process.cases.front().measurements.back();
    last.metric = "allocated_bytes_sampled";
    last.value.reset();
    last.summary.emplace();
    last.summary->n = 3;
    last.summary->min = last.summary->median = low;
    last.summary->max = high;
  }
  return run;
}

std::string note(const record::Run& before, const record::Run& after) {
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = gate::judge_stored(comparison, {}).value();
  for (const facts::Fact& each : report.notes)
    if (each.words().find("differ") != std::string::npos) return each.words();
  return "";
}

TEST(VaryingCounts, ACountThatVariesNowIsNotCalledGone) {
  const record::Run before = counting("aaaa", {0, 0, 0, 0, 0});
  const record::Run after = sampling("bbbb", 1000, 1004);
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  const auto report = gate::judge_stored(comparison, {}).value();
  const auto& found = finding(report, "g/one/bind", "allocated_bytes");
  EXPECT_TRUE(mentions(found.reasons, "counted in the baseline; now it differs between the samples of a process: "));
  EXPECT_FALSE(mentions(found.reasons, "the suite no longer has it"));
}

// Of one case and count.
reports::Report compared(const record::Run& before, const record::Run& after, const policy::Policy& policy = {}) {
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  return gate::judge_stored(comparison, policy).value();
}

policy::Policy gating(const std::string& metric) {
  policy::Policy policy;
  policy::CaseRule rule;
  rule.pattern = ".";
  rule.metrics[metric] = policy::Action::fail;
  policy.case_rules.push_back(rule);
  return policy;
}

TEST(VaryingCounts, HaveChangedWhereAllSamplesAreWorseThanAllBefore) {
  const record::Run before = sampling("aaaa", 3, 4);
  for (const record::Run& after : {counting("bbbb", {9, 9, 9, 9, 9}), sampling("bbbb", 9, 10)}) {
    const auto report = compared(before, after, gating("allocated_bytes"));
    const auto& found = finding(report, "g/one/bind", "allocated_bytes");
    EXPECT_EQ(found.verdict, reports::Verdict::changed);
    EXPECT_EQ(report.outcome, reports::Outcome::fail);
    EXPECT_TRUE(mentions(found.reasons,
                         "differs between the samples of a process, and each count is worse than all "
                         "before: 3"));
    EXPECT_FALSE(mentions(report.notes, "count was not judged"));
    EXPECT_FALSE(mentions(report.notes, "no matching case has a metric"));
  }
  EXPECT_EQ(compared(before, sampling("bbbb", 4, 5)).outcome, reports::Outcome::pass);
}

// One process of the baseline had another number in a sample.
TEST(VaryingCounts, OfSomeProcessesAreComparedWithThoseOfAll) {
  record::Run before = counting("aaaa", {3, 3, 3, 3, 3});
  record::Metric sampled = before.cases.front().metrics.back();
  sampled.name = "allocated_bytes_sampled";
  sampled.kind = record::MetricKind::timed;
  before.cases.front().metrics.push_back(sampled);
  before.processes.front().cases.front().measurements.back() =
      sampling("aaaa", 3, 4).processes.front().cases.front().measurements.back();
  const auto grown = compared(before, sampling("bbbb", 9, 10), gating("allocated_bytes"));
  EXPECT_EQ(grown.outcome, reports::Outcome::fail);
  EXPECT_TRUE(mentions(finding(grown, "g/one/bind", "allocated_bytes").reasons,
                       "3 bytes to 4 bytes before, 9 bytes to 10 bytes now"));
  EXPECT_EQ(compared(before, counting("bbbb", {3, 3, 3, 3, 3}), gating("allocated_bytes")).outcome,
            reports::Outcome::pass);
}

TEST(VaryingCounts, ThatAreGatedAndOverlapAreUndecided) {
  const record::Run before = sampling("aaaa", 3, 4);
  const record::Run after = sampling("bbbb", 3, 9);
  const auto report = compared(before, after, gating("allocated_bytes"));
  EXPECT_EQ(finding(report, "g/one/bind", "allocated_bytes").verdict, reports::Verdict::inconclusive);
  EXPECT_EQ(compared(before, after).findings.size(), 1U) << "the time";
}

// A Go unit that is declared exact, and that its file has judged where its samples differ.
TEST(VaryingCounts, ThatWereJudgedAndRepeatAgainAreNotMissing) {
  record::Run before = sampling("aaaa", 100, 300);
  record::Metric& samples = before.cases.front().metrics.back();
  samples.judged = true;
  EXPECT_EQ(compared(before, counting("bbbb", {100, 100, 100, 100, 100})).findings.size(), 1U) << "the time";
  const auto overlaps = compared(before, counting("bbbb", {200, 200, 200, 200, 200}));
  EXPECT_EQ(finding(overlaps, "g/one/bind", "allocated_bytes").verdict, reports::Verdict::inconclusive);
  EXPECT_EQ(overlaps.outcome, reports::Outcome::no_verdict);
  const auto grown = compared(before, counting("bbbb", {400, 400, 400, 400, 400}));
  EXPECT_EQ(finding(grown, "g/one/bind", "allocated_bytes").verdict, reports::Verdict::changed);
}

TEST(VaryingCounts, AreMentionedWhereTheSidesDoNotOverlap) {
  EXPECT_EQ(note(counting("aaaa", {1000, 1001, 1002, 1003, 1004}), counting("bbbb", {8000, 8001, 8002, 8003, 8004})),
            "")
      << "each process grew: that is a finding";
  EXPECT_EQ(note(counting("aaaa", {8000, 8001, 8002, 8003, 8004}), counting("bbbb", {1000, 1001, 1002, 1003, 1004})),
            "1 count was not judged, as it differs within a side, but the values of both sides do not overlap: "
            "g/one/bind allocated_bytes (8000 to 8004 before, 1000 to 1004 now)");
  EXPECT_EQ(note(sampling("aaaa", 1000, 1004), sampling("bbbb", 8000, 8004)), "") << "that is a finding";
  EXPECT_EQ(note(sampling("aaaa", 8000, 8004), counting("bbbb", {1000, 1000, 1000, 1000, 1000})),
            "1 count was not judged, as it differs within a side, but the values of both sides do not overlap: "
            "g/one/bind allocated_bytes (8000 to 8004 before, 1000 now)");
  EXPECT_EQ(note(sampling("aaaa", 1000, 1004), sampling("bbbb", 1004, 1008)), "");
  EXPECT_EQ(note(counting("aaaa", {5, 5, 5, 5, 5}), counting("bbbb", {7, 7, 7, 7, 7})), "") << "that is a finding";
  EXPECT_EQ(note(counting("aaaa", {5, 5, 5, 5, 5}), sampling("bbbb", 7, 8)), "") << "so is that it varies now";
}

}  // namespace
