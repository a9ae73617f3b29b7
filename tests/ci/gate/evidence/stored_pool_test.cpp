// SPDX-License-Identifier: Apache-2.0
// Cases and counts that the newest stored run lost, and cases that were measured on both sides in different ways: never `new`.
#include "ci/gate/evidence/stored_pool.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/ci/gate/evidence/stored_runs.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

constexpr const char* lost = "g/one/lost";
constexpr const char* same = "g/one/same";

record::Run run_of(const std::string& id, double ns) {
  record::Run run = empty_run(id);
  run.sides[0].source.commit = std::string(40, id.front());
  add_case(run, same, around(1e5, quiet));
  add_case(run, lost, around(ns, quiet));
  return run;
}

void fail_case(record::Run& run, const std::string& name) {
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    record::CaseResult& result = result_of(run, i, name);
    result.status = record::CaseStatus::failed;
    result.message = "signal 11";
    result.measurements.clear();
  }
}

record::Case& case_of(record::Run& run, const std::string& name) {
  for (record::Case& each : run.cases)
    if (each.name == name) return each;
  throw std::logic_error("no case " + name);
}

struct Pool : StoredRuns {
  Pool() : StoredRuns{run_of("aaaa", 1e5), run_of("bbbb", 1e5), run_of("cccc", 3e5)} {}
};

using Edit = std::function<void(record::Run& newest)>;

// Every way in which the newest stored run has no numbers that can be compared with those of this run.
const std::vector<std::pair<const char*, Edit>>& losses() {
  static const std::vector<std::pair<const char*, Edit>> edits{
      {"failed", [](record::Run& run) { fail_case(run, lost); }},
      {"no time",
       [](record::Run& run) {
         forget_case(run, lost);
         add_case(run, lost, {0, 0, 0, 0, 0});
       }},
      {"lost",
       [](record::Run& run) {
         for (record::Process& process : run.processes) process.status = record::ProcessStatus::crashed;
       }},
      {"not reported", [](record::Run& run) { silence_case(run, lost); }},
      {"not listed", [](record::Run& run) { forget_case(run, lost); }},
      {"skipped",
       [](record::Run& run) {
         silence_case(run, lost);
         case_of(run, lost).skipped = "no AVX-512";
       }},
      {"ambiguous", [](record::Run& run) { case_of(run, lost).ambiguous = std::string("the file has it 2 times"); }},
      {"seed", [](record::Run& run) { case_of(run, lost).input_seed = 7; }},
      {"protocol", [](record::Run& run) { case_of(run, lost).protocol = "cpu-manual/1"; }},
      {"parameters",
       [](record::Run& run) {
         case_of(run, lost).parameters = {{"batch", "8"}};
       }},
      {"device", [](record::Run& run) { case_of(run, lost).device = "cuda"; }},
      {"unit", [](record::Run& run) { case_of(run, lost).metrics[0].unit = "us"; }},
      {"direction",
       [](record::Run& run) { case_of(run, lost).metrics[0].direction = record::Direction::higher_is_better; }},
  };
  return edits;
}

TEST(StoredPool, WhatTheNewestRunLostIsComparedWithAnOlderOne) {
  for (const auto& [what, edit] : losses()) {
    SCOPED_TRACE(what);
    Pool pool;
    edit(pool.newest);
    const auto report = pool.judge();
    const auto& slower = finding(report, lost);
    EXPECT_EQ(slower.verdict, Verdict::suspected);
    EXPECT_EQ(slower.action, GateAction::fail) << "three times slower";
    EXPECT_NEAR(slower.change.value(), 2.0, 0.05);
    EXPECT_TRUE(
        mentions(slower.reasons, "baseline: run aaaa of aaaaaaaaaaaa (2026-01-01); the newest stored run, bbbb,"));
    EXPECT_TRUE(mentions(report.notes, "compared with an older run of the baseline"));
    const auto pairs = gate::cases_for_pairs(pool.comparison(), pool.policy);
    ASSERT_TRUE(pairs.ok());
    EXPECT_TRUE(pairs->suspects.empty()) << "pairs would run the newest run's binaries";
  }
}

TEST(StoredPool, WhatNoStoredRunCanBeComparedWithIsNeverNewAndNeverPasses) {
  for (const auto& [what, edit] : losses()) {
    const std::string kind = what;
    if (kind == "not listed" || kind == "skipped") continue;  // the baseline never measured it
    SCOPED_TRACE(what);
    Pool pool;
    pool.with_older = false;
    edit(pool.newest);
    const auto report = pool.judge();
    EXPECT_EQ(finding(report, lost).verdict, Verdict::not_comparable);
    EXPECT_NE(report.outcome, Outcome::pass) << report.headline;
    EXPECT_EQ(report.decided.undecided(), kind == "lost" ? 2 : 1);
  }
}

TEST(StoredPool, ACaseWithOtherProcessSettingsIsAnotherOneWhereBothAreKnown) {
  Pool pool;
  pool.with_older = false;
  case_of(pool.current, lost).settings = std::string("threads 4");
  EXPECT_EQ(finding(pool.judge(), lost).verdict, Verdict::suspected) << "an older record does not have them";
  case_of(pool.newest, lost).settings = std::string("threads 2");
  EXPECT_EQ(finding(pool.judge(), lost).verdict, Verdict::not_comparable);
  EXPECT_TRUE(mentions(finding(pool.judge(), lost).reasons,
                       "measured on both sides, not comparable: its process setting was threads 2 and is threads 4"));
}

TEST(StoredPool, BothValuesAreNamed) {
  Pool pool;
  pool.with_older = false;
  case_of(pool.newest, lost).parameters = {{"batch", "8"}, {"threads", "1"}};
  case_of(pool.current, lost).parameters = {{"batch", "8"}, {"threads", "4"}};
  EXPECT_TRUE(mentions(finding(pool.judge(), lost).reasons,
                       "measured on both sides, not comparable: its parameter threads was 1 and is 4"));
  case_of(pool.current, lost).parameters = {{"batch", "8"}};
  EXPECT_TRUE(mentions(finding(pool.judge(), lost).reasons, "its parameter threads was 1 and is not set"));
  case_of(pool.newest, lost).parameters = {};
  case_of(pool.current, lost).parameters = {};
  case_of(pool.current, lost).metrics[0] = {"rate", "1/s", record::Direction::higher_is_better,
                                            record::MetricKind::timed, true};
  for (std::size_t i = 0; i < pool.current.processes.size(); ++i)
    result_of(pool.current, i, lost).measurements[0].metric = "rate";
  EXPECT_TRUE(
      mentions(finding(pool.judge(), lost, "rate").reasons, "its primary metric was time (ns) and is rate (1/s)"));
}

// run.device_metric was changed between the two: both runs measured both times.
TEST(StoredPool, TheOtherTimeOfAGpuIsComparedWithABaselineThatHasIt) {
  Pool pool;
  pool.with_older = false;
  const auto measure_device_time = [](record::Run& run) {
    record::Case& definition = case_of(run, lost);
    definition.device = "cuda";
    definition.metrics.push_back(
        {"gpu_time_hot", "ns", record::Direction::lower_is_better, record::MetricKind::timed, false});
    for (std::size_t i = 0; i < run.processes.size(); ++i) {
      record::Measurement of_device = result_of(run, i, lost).measurements[0];
      of_device.metric = "gpu_time_hot";
      result_of(run, i, lost).measurements.push_back(of_device);
    }
  };
  measure_device_time(pool.newest);
  measure_device_time(pool.current);
  case_of(pool.current, lost).metrics.front().primary = false;
  case_of(pool.current, lost).metrics.back().primary = true;
  const auto report = pool.judge();
  const auto& slower = finding(report, lost, "gpu_time_hot");
  EXPECT_EQ(slower.verdict, Verdict::suspected);
  EXPECT_NEAR(slower.change.value(), 2.0, 0.05);
  std::erase_if(case_of(pool.newest, lost).metrics, [](const auto& metric) { return metric.name == "gpu_time_hot"; });
  EXPECT_EQ(finding(pool.judge(), lost, "gpu_time_hot").verdict, Verdict::not_comparable);
}

TEST(StoredPool, WhatOnlyOneSideSkipsIsMissingWithTheReason) {
  Pool pool;
  pool.with_older = false;
  for (std::size_t i = 0; i < pool.current.processes.size(); ++i) {
    record::CaseResult& result = result_of(pool.current, i, lost);
    result.status = record::CaseStatus::skipped;
    result.message = "this LibTorch is built without nativert";
    result.measurements.clear();
  }
  const auto report = pool.judge();
  EXPECT_EQ(finding(report, lost).verdict, Verdict::missing);
  EXPECT_TRUE(mentions(finding(report, lost).reasons, "this LibTorch is built without nativert"));
}

TEST(StoredPool, ThePolicySaysWhatNotComparableDoes) {
  Pool pool;
  pool.with_older = false;
  case_of(pool.newest, lost).input_seed = 7;
  EXPECT_EQ(pool.judge().outcome, Outcome::fail);
  pool.policy.missing = policy::Action::warn;
  EXPECT_EQ(pool.judge().outcome, Outcome::pass);
  EXPECT_EQ(finding(pool.judge(), lost).action, GateAction::warn);
  fail_case(pool.newest, lost);
  pool.policy.missing = policy::Action::fail;
  EXPECT_EQ(pool.judge().outcome, Outcome::no_verdict) << "the change cannot help what the baseline lost";
  pool.policy.missing = policy::Action::pass;
  EXPECT_EQ(pool.judge().outcome, Outcome::pass);
}

TEST(StoredPool, ALimitOfOneMetricDoesNotLimitACaseThatIsGone) {
  Pool pool;
  pool.with_older = false;
  forget_case(pool.current, lost);
  pool.policy.case_rules.push_back({"lost",
                                    false,
                                    {},
                                    {{"time", policy::Action::pass}, {"instructions", policy::Action::fail}},
                                    "torchgate.toml:1"});
  EXPECT_EQ(pool.judge().outcome, Outcome::fail);
  pool.policy.case_rules.push_back({"lost", false, {{"missing", std::string("pass")}}, {}, "torchgate.toml:5"});
  EXPECT_EQ(pool.judge().outcome, Outcome::pass);
}

TEST(StoredPool, ACaseThatIsGoneNowWasLostBeforeIfAnOlderRunHasIt) {
  Pool pool;
  fail_case(pool.newest, lost);
  forget_case(pool.current, lost);
  EXPECT_EQ(finding(pool.judge(), lost).verdict, Verdict::missing);
  pool.current = run_of("cccc", 1e5);
  silence_case(pool.current, lost);
  EXPECT_EQ(finding(pool.judge(), lost).verdict, Verdict::missing);
}

TEST(StoredPool, WhatAnEarlierCommitRemovedIsNotMissingAgain) {
  Pool pool;
  forget_case(pool.newest, lost);
  forget_case(pool.current, lost);
  const auto report = pool.judge();
  EXPECT_EQ(report.outcome, Outcome::pass) << report.headline;
  EXPECT_TRUE(
      mentions(report.notes, "1 case of older runs of the baseline is neither in its newest run nor in this one"));
}

TEST(StoredPool, AFilteredBaselineRemovesNothing) {
  Pool pool;
  forget_case(pool.newest, lost);
  pool.newest.plan.filter = "same";
  forget_case(pool.current, lost);
  EXPECT_EQ(finding(pool.judge(), lost).verdict, Verdict::missing);
}

TEST(StoredPool, ABaselineThatCouldNotListItsCasesRemovesNothing) {
  Pool pool;
  forget_case(pool.newest, lost);
  record::Process unlisted;
  unlisted.suite = pool.newest.processes.front().suite;
  unlisted.status = record::ProcessStatus::crashed;
  pool.newest.processes.push_back(unlisted);
  forget_case(pool.current, lost);
  EXPECT_EQ(finding(pool.judge(), lost).verdict, Verdict::missing);
}

TEST(StoredPool, AnOlderRunOfAnotherDefinitionIsNotPooled) {
  Pool pool;
  case_of(pool.older, lost).input_seed = 7;
  pool.older.cases[1].metrics[0].unit = "us";
  const auto report = pool.judge();
  EXPECT_NEAR(finding(report, lost).change.value(), 2.0, 0.05);
}

TEST(StoredPool, ACountThatTheNewestRunLostIsThatOfAnOlderOne) {
  for (const std::string rule : {"default", "exact"}) {
    SCOPED_TRACE(rule);
    Pool pool;
    pool.policy.rule = rule;
    pool.current = run_of("cccc", 1e5);
    add_exact(pool.older, lost, "operator_calls", 10);
    add_exact(pool.current, lost, "operator_calls", 12);
    const auto changed = finding(pool.judge(), lost, "operator_calls");
    EXPECT_EQ(changed.verdict, Verdict::changed);
    EXPECT_NEAR(changed.change.value(), 0.2, 1e-9);
    EXPECT_TRUE(mentions(changed.reasons, "counted in run aaaa of aaaaaaaaaaaa (2026-01-01)"));
    pool.current = run_of("cccc", 1e5);
    const auto gone = finding(pool.judge(), lost, "operator_calls");
    EXPECT_EQ(gone.verdict, Verdict::changed) << "lost twice is lost";
    EXPECT_FALSE(gone.after.has_value());
  }
}

TEST(StoredPool, ACountOfAnotherUnitIsNotCompared) {
  Pool pool;
  pool.current = run_of("cccc", 1e5);
  add_exact(pool.newest, lost, "peak_bytes", 2048);
  add_exact(pool.current, lost, "peak_bytes", 2);
  case_of(pool.current, lost).metrics[1].unit = "kB";
  const auto changed = finding(pool.judge(), lost, "peak_bytes");
  EXPECT_EQ(changed.verdict, Verdict::changed);
  EXPECT_TRUE(mentions(changed.reasons, "counted on both sides, not comparable: its unit was bytes and is kB"));
}

TEST(StoredPool, InstructionsThatTheNewestRunLostAreThoseOfAnOlderOne) {
  Pool pool;
  pool.current = run_of("cccc", 1e5);
  const auto counted = [](double count) {
    record::InstructionCount instructions;
    instructions.case_name = lost;
    instructions.counter = "callgrind 3.19.0";
    instructions.per_call = {count, count};
    return instructions;
  };
  pool.older.instructions = {counted(1e6)};
  pool.current.instructions = {counted(1.1e6)};
  const auto changed = finding(pool.judge(), lost, "instructions");
  EXPECT_EQ(changed.verdict, Verdict::changed);
  EXPECT_NEAR(changed.change.value(), 0.1, 1e-9);
  record::InstructionCount unknown = counted(0);
  unknown.per_call.clear();
  unknown.unknown = "valgrind ended early";
  pool.newest.instructions = {unknown};
  EXPECT_EQ(finding(pool.judge(), lost, "instructions").verdict, Verdict::changed);
  pool.current.instructions = {unknown};
  EXPECT_FALSE(finding(pool.judge(), lost, "instructions").after.has_value());
}

// A second time of `lost`, equal to the first one.
void add_cpu_time(record::Run& run) {
  record::Metric cpu = case_of(run, lost).metrics[0];
  cpu.name = "cpu_time";
  cpu.primary = false;
  case_of(run, lost).metrics.push_back(cpu);
  for (std::size_t i = 0; i < run.processes.size(); ++i) {
    record::CaseResult& result = result_of(run, i, lost);
    result.measurements.push_back(result.measurements.front());
    result.measurements.back().metric = cpu.name;
  }
}

TEST(StoredPool, ASecondTimeOfAnOlderRunIsComparedWhereItMeansTheSame) {
  Pool pool;
  pool.policy.case_rules.push_back({"lost", false, {}, {{"cpu_time", policy::Action::fail}}, "torchgate.toml:1"});
  add_cpu_time(pool.older);
  add_cpu_time(pool.current);
  EXPECT_EQ(finding(pool.judge(), lost, "cpu_time").before->value, finding(pool.judge(), lost).before->value);
  case_of(pool.older, lost).metrics.back().unit = "us";
  for (const reports::Finding& each : pool.judge().findings) EXPECT_NE(each.metric.name, "cpu_time");
}

TEST(StoredPool, AGatedTimeThatTheCaseNoLongerHasIsMissing) {
  Pool pool;
  pool.current = run_of("cccc", 1e5);
  pool.policy.case_rules.push_back({"lost", false, {}, {{"cpu_time", policy::Action::fail}}, "torchgate.toml:1"});
  add_cpu_time(pool.newest);
  EXPECT_EQ(finding(pool.judge(), lost, "cpu_time").verdict, Verdict::missing);
  EXPECT_EQ(pool.judge().outcome, Outcome::fail);
  add_cpu_time(pool.current);
  case_of(pool.current, lost).metrics.back().unit = "us";
  EXPECT_EQ(finding(pool.judge(), lost, "cpu_time").verdict, Verdict::not_comparable);
}

TEST(StoredPool, ACaseWithCountsOnlyIsCompared) {
  Pool pool;
  for (record::Run* run : {&pool.newest, &pool.current}) {
    add_exact(*run, lost, "operator_calls", run == &pool.newest ? 10 : 12);
    std::erase_if(case_of(*run, lost).metrics, [](const record::Metric& metric) { return metric.primary; });
  }
  EXPECT_EQ(finding(pool.judge(), lost, "operator_calls").verdict, Verdict::changed);
  case_of(pool.newest, lost) = case_of(pool.older, lost);
  pool.with_older = false;
  const auto report = pool.judge();
  EXPECT_EQ(report.outcome, Outcome::fail) << "it had a time: " << report.headline;
}

}  // namespace
