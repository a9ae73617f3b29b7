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

TEST(VaryingCounts, AreMentionedWhereTheSidesDoNotOverlap) {
  const std::string said =
      "1 count was not judged, as it differs within a side, but the values of both sides do not overlap: g/one/bind "
      "allocated_bytes (1000 to 1004 before, 8000 to 8004 now)";
  EXPECT_EQ(note(counting("aaaa", {1000, 1001, 1002, 1003, 1004}), counting("bbbb", {8000, 8001, 8002, 8003, 8004})),
            "")
      << "each process grew: that is a finding";
  EXPECT_EQ(note(counting("aaaa", {8000, 8001, 8002, 8003, 8004}), counting("bbbb", {1000, 1001, 1002, 1003, 1004})),
            "1 count was not judged, as it differs within a side, but the values of both sides do not overlap: "
            "g/one/bind allocated_bytes (8000 to 8004 before, 1000 to 1004 now)");
  EXPECT_EQ(note(sampling("aaaa", 1000, 1004), sampling("bbbb", 8000, 8004)), said);
  EXPECT_EQ(note(sampling("aaaa", 8000, 8004), counting("bbbb", {1000, 1000, 1000, 1000, 1000})),
            "1 count was not judged, as it differs within a side, but the values of both sides do not overlap: "
            "g/one/bind allocated_bytes (8000 to 8004 before, 1000 now)");
  EXPECT_EQ(note(sampling("aaaa", 1000, 1004), sampling("bbbb", 1004, 1008)), "");
  EXPECT_EQ(note(counting("aaaa", {5, 5, 5, 5, 5}), counting("bbbb", {7, 7, 7, 7, 7})), "") << "that is a finding";
  EXPECT_EQ(
      note(counting("aaaa", {5, 5, 5, 5, 5}), sampling("bbbb", 7, 8)),
      "1 count was not judged, as it differs within a side, but the values of both sides do not overlap: g/one/bind "
      "allocated_bytes (5 before, 7 to 8 now)")
      << "the finding says that it is gone";
}

}  // namespace
