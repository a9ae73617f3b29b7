// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/copied_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "ci/gate/judge.hpp"
#include "harness/record/imported.hpp"
#include "harness/record/sample_summary.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace torchgate::gate {
namespace {

using testing::add_case;
using testing::empty_run;
using testing::finding;
using testing::result_of;

constexpr const char* copied_case = "g/one/a";

// Five processes whose medians have the digits of a measurement; without samples, as a record is beside its samples file.
record::Run recorded(const std::string& id, double scale, std::uint64_t first_seed = 1000) {
  record::Run run = empty_run(id);
  add_case(run, copied_case,
           {1002576.3695 * scale, 1000132.6716 * scale, 997815.6535 * scale, 997955.7936 * scale, 999313.0817 * scale});
  for (record::Process& process : run.processes) {
    process.seed = first_seed++;
    process.cases.front().measurements.front().samples.clear();
  }
  return run;
}

reports::Report judged(const record::Run& before, const record::Run& after) {
  Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  return *judge_stored(comparison, policy::Policy{});
}

reports::Verdict verdict(const record::Run& before, const record::Run& after) {
  return finding(judged(before, after), copied_case).verdict;
}

TEST(CopiedSamples, ARecordWithAnotherIdIsACopyWithoutItsSamples) {
  const reports::Report report = judged(recorded("aaaa", 1), recorded("bbbb", 1));
  EXPECT_EQ(finding(report, copied_case).verdict, reports::Verdict::not_comparable);
  EXPECT_EQ(report.outcome, reports::Outcome::no_verdict);
}

// Files of another tool, with another date in each run: those with one date are refused before anything is judged.
record::Run imported(record::Run run) {
  run.plan.profile = record::imported_profile;
  run.machine.host_key.clear();
  for (record::Process& process : run.processes) {
    process.seed = 0;
    process.started = "2026-01-01T00:00:00.000Z of " + run.id;
  }
  return run;
}

// A stale result may be older than the newest stored run.
TEST(CopiedSamples, ACopyOfAnOlderStoredRunIsOneToo) {
  const auto as_is = [](record::Run run) { return run; };
  const auto verdict_of = [](const auto& form, double older_scale, bool lost) {
    record::Run newest = form(recorded("aaaa", 1.0003, 3000));
    for (record::Process& process : newest.processes)
      if (lost) process.cases.clear();
    const record::Run older = form(recorded("bbbb", older_scale, 2000));
    const record::Run after = form(recorded("cccc", 1.0007, 2000));
    Comparison comparison;
    comparison.baseline = {&newest, &older};
    comparison.current = &after;
    return finding(*judge_stored(comparison, policy::Policy{}), copied_case).verdict;
  };
  for (const bool lost : {false, true}) {
    EXPECT_EQ(verdict_of(as_is, 1.0007, lost), reports::Verdict::not_comparable);
    EXPECT_EQ(verdict_of(imported, 1.0007, lost), reports::Verdict::not_comparable);
    EXPECT_EQ(verdict_of(as_is, 0.9995, lost), reports::Verdict::equivalent);
    EXPECT_EQ(verdict_of(imported, 0.9995, lost), reports::Verdict::equivalent);
  }
}

// Files of ten cases with one value each.
record::Run of_ten_cases(const std::string& id, double scale) {
  record::Run run = empty_run(id);
  for (int i = 0; i < 10; ++i) {
    std::vector<double> values;
    for (int process = 0; process < 6; ++process)
      values.push_back(scale * (99 + std::fmod(0.73571 * (7 * i + process + 1) * (process + 2), 2.0)));
    add_case(run, "g/one/" + std::to_string(i), values);
  }
  for (record::Process& process : run.processes)
    for (record::CaseResult& result : process.cases) result.calls_per_sample = 1000;
  return run;
}

// One value of a few digits for each of ten cases: the files as a whole.
TEST(CopiedSamples, FilesOfAnOlderStoredRunAreCopiesAsAWhole) {
  const record::Run newest = imported(of_ten_cases("aaaa", 1.0003));
  const record::Run older = imported(of_ten_cases("bbbb", 1));
  const auto verdict_of = [&](const record::Run& after) {
    Comparison comparison;
    comparison.baseline = {&newest, &older};
    comparison.current = &after;
    return finding(*judge_stored(comparison, policy::Policy{}), "g/one/3").verdict;
  };
  EXPECT_EQ(verdict_of(imported(of_ten_cases("cccc", 1))), reports::Verdict::not_comparable);
  EXPECT_NE(verdict_of(imported(of_ten_cases("dddd", 1.0005))), reports::Verdict::not_comparable);
}

TEST(CopiedSamples, OneProcessOfTheBaselineIsEnough) {
  record::Run after = recorded("bbbb", 1.0007);
  for (std::size_t i = 0; i < 3; ++i) after.processes[i] = recorded("aaaa", 1).processes[i];
  EXPECT_EQ(verdict(recorded("aaaa", 1), after), reports::Verdict::not_comparable);
}

TEST(CopiedSamples, ASideThatLostItsSamplesFileIsComparedBySummaries) {
  record::Run before = recorded("aaaa", 1);
  for (record::Process& process : before.processes)
    process.cases.front().measurements.front().samples = {1002576.3695, 1000132.6716, 997815.6535};
  EXPECT_EQ(verdict(before, recorded("bbbb", 1)), reports::Verdict::not_comparable);
}

TEST(CopiedSamples, AnotherMeasurementIsNotACopy) {
  EXPECT_EQ(verdict(recorded("aaaa", 1), recorded("bbbb", 1.0007)), reports::Verdict::equivalent);
  EXPECT_EQ(verdict(recorded("aaaa", 1), recorded("bbbb", 1, 2000)), reports::Verdict::equivalent) << "other seeds";
  record::Run after = recorded("bbbb", 1);
  for (record::Process& process : after.processes) process.cases.front().measurements.front().summary->lag1 = 0.25;
  EXPECT_EQ(verdict(recorded("aaaa", 1), after), reports::Verdict::equivalent);
}

TEST(CopiedSamples, AllCasesOfAFileTogetherShowACopy) {
  const record::Run before = of_ten_cases("aaaa", 1);
  const record::Run other = of_ten_cases("bbbb", 1.0003);
  const SideEvidence stored(before, 0);
  const SideEvidence measured(other, 0);
  EXPECT_EQ(CopiedProcesses(stored, measured).among(measured.cases().begin()->second), 0U);
  const record::Run again = of_ten_cases("cccc", 1);
  const SideEvidence copy(again, 0);
  EXPECT_EQ(CopiedProcesses(stored, copy).among(copy.cases().begin()->second), 6U);
  record::Run one_case = of_ten_cases("dddd", 1.0003);
  for (std::size_t i = 0; i < 6; ++i) one_case.processes[i].cases.front() = before.processes[i].cases.front();
  const SideEvidence mixed(one_case, 0);
  EXPECT_EQ(CopiedProcesses(stored, mixed).among(mixed.cases().begin()->second), 0U) << "the others were measured";
}

bool has_doubt(const reports::Report& report, const std::string& words) {
  return testing::mentions(report.doubts, words);
}

TEST(RepeatedProcesses, AreADoubtWhateverTheirSeeds) {
  record::Run after = recorded("bbbb", 1.0007);
  constexpr const char* words = "this run: g/one/a: several processes have the same numbers, bit for bit";
  EXPECT_FALSE(has_doubt(judged(recorded("aaaa", 1), after), words));
  for (std::size_t i = 1; i < after.processes.size(); ++i) after.processes[i].cases = after.processes[0].cases;
  EXPECT_TRUE(has_doubt(judged(recorded("aaaa", 1), after), words));
  EXPECT_TRUE(has_doubt(judged(after, recorded("aaaa", 1)), "baseline: g/one/a: several processes"));
}

TEST(PlannedProcesses, MoreThanPlannedAreADoubt) {
  record::Run after = recorded("bbbb", 1.0007);
  constexpr const char* words =
      "1 group has more processes than planned, and all of them count; the first: g/one, 5 instead of 4";
  EXPECT_FALSE(has_doubt(judged(recorded("aaaa", 1), after), words));
  after.plan.processes = 4;
  EXPECT_TRUE(has_doubt(judged(recorded("aaaa", 1), after), words));
  for (std::size_t i = 0; i < after.processes.size(); ++i) after.processes[i].rank = static_cast<std::int64_t>(i);
  EXPECT_FALSE(has_doubt(judged(recorded("aaaa", 1), after), words)) << "of one job";
}

TEST(PlannedProcesses, AGroupWithoutAnyIsADoubt) {
  record::Run after = recorded("bbbb", 1.0007);
  record::Case other = after.cases.front();
  other.name = "g/two/b";
  other.group = "g/two";
  other.skipped = "no CUDA device";
  after.cases.push_back(other);
  constexpr const char* words = "no record of the others; the first: g/two, 0 of 5";
  EXPECT_FALSE(has_doubt(judged(recorded("aaaa", 1), after), words));
  after.cases.back().skipped.reset();
  EXPECT_TRUE(has_doubt(judged(recorded("aaaa", 1), after), words));
  after.unchanged.push_back({"g/two", "aaaa", {}, {}});
  EXPECT_FALSE(has_doubt(judged(recorded("aaaa", 1), after), words));
}

TEST(CopiedSamples, ConstantAndRoundTimesRepeat) {
  const auto rounded = [](const std::string& id, double first, double step) {
    record::Run run = recorded(id, 1);
    for (std::size_t i = 0; i < run.processes.size(); ++i) {
      record::SampleSummary& summary = *result_of(run, i, copied_case).measurements.front().summary;
      const double value = first + step * static_cast<double>(i % 2);
      summary.mean = summary.min = summary.p25 = summary.median = summary.p75 = summary.max = value;
      summary.sd = 0;
    }
    return run;
  };
  EXPECT_NE(verdict(rounded("aaaa", 40.25, 0), rounded("bbbb", 40.25, 0)), reports::Verdict::not_comparable);
  EXPECT_NE(verdict(rounded("aaaa", 1234567.25, 0), rounded("bbbb", 1234567.25, 0)), reports::Verdict::not_comparable);
  EXPECT_NE(verdict(rounded("aaaa", 1200, 10), rounded("bbbb", 1200, 10)), reports::Verdict::not_comparable);
}

// 1.25 s and 1.22 s: another measurement has the same few numbers, in any unit and by any number of calls.
TEST(CopiedSamples, CoarseTimesInALargeUnitRepeat) {
  const auto coarse = [](const std::string& id, double unit_ns, std::int64_t calls) {
    record::Run run = empty_run(id);
    std::vector<double> times;
    for (const double each : {1250.0, 1220.0, 1230.0, 1250.0, 1280.0, 1240.0})
      times.push_back(each * unit_ns / static_cast<double>(calls));
    add_case(run, copied_case, times);
    for (std::size_t i = 0; i < run.processes.size(); ++i) {
      record::CaseResult& result = result_of(run, i, copied_case);
      run.processes[i].seed = 1000 + i;
      result.calls_per_sample = calls;
      result.measurements.front().samples = {times[i]};
      result.measurements.front().summary = record::summarize_samples(result.measurements.front().samples);
    }
    return run;
  };
  for (const double unit_ns : {1.0, 1e6})
    for (const std::int64_t calls : {1, 7})
      EXPECT_NE(verdict(coarse("aaaa", unit_ns, calls), coarse("bbbb", unit_ns, calls)),
                reports::Verdict::not_comparable)
          << unit_ns << " ns, " << calls << " calls";
  EXPECT_EQ(verdict(coarse("aaaa", 1234.567, 1), coarse("bbbb", 1234.567, 1)), reports::Verdict::not_comparable);
}

// Two values of a few nanoseconds in each of six files, as a list of means has them.
TEST(CopiedSamples, ShortMeansOfUnknownCallsAreCopies) {
  const auto means = [](const std::string& id, double parts) {
    record::Run run = empty_run(id);
    std::vector<double> times;
    for (int i = 0; i < 6; ++i) times.push_back(std::round((5.1 + 0.037184523719 * i) * parts) / parts);
    add_case(run, copied_case, times);
    for (std::size_t i = 0; i < run.processes.size(); ++i) {
      record::CaseResult& result = result_of(run, i, copied_case);
      run.processes[i].seed = 1000 + i;
      result.only_summary = true;
      result.measurements.front().samples = {times[i]};
      result.measurements.front().summary = record::summarize_samples(result.measurements.front().samples);
    }
    return run;
  };
  EXPECT_EQ(verdict(means("aaaa", 1e12), means("bbbb", 1e12)), reports::Verdict::not_comparable);
  for (const double calls : {1.0, 3.0, 100.0})
    EXPECT_NE(verdict(means("aaaa", calls), means("bbbb", calls)), reports::Verdict::not_comparable)
        << "whole nanoseconds of " << calls << " calls";
}

// The times say nothing, and no copy explains another count.
TEST(CopiedSamples, DoNotHideACountThatChanged) {
  const auto counting = [](const std::string& id, double allocations) {
    record::Run run = recorded(id, 1);
    run.cases.front().metrics.push_back(
        {"allocations", "1", record::Direction::lower_is_better, record::MetricKind::exact});
    testing::add_exact(run, copied_case, "allocations", allocations);
    return run;
  };
  const record::Run before = counting("aaaa", 10);
  const auto outcome = [&](double allocations) {
    const record::Run after = counting("bbbb", allocations);
    Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    policy::Policy policy;
    policy.changed = policy::Action::fail;
    return judge_stored(comparison, policy)->outcome;
  };
  EXPECT_EQ(outcome(10), reports::Outcome::no_verdict);
  EXPECT_EQ(outcome(20), reports::Outcome::fail);
}

}  // namespace
}  // namespace torchgate::gate
