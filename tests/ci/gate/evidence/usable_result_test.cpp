// SPDX-License-Identifier: Apache-2.0
// Results that are not measurements are reported as failed or missing, by name, and the other cases are judged.
#include "ci/gate/evidence/usable_result.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "ci/gate/evidence/go_cpus.hpp"
#include "ci/gate/judge.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using gate::testing::add_case;
using gate::testing::add_paired_case;
using gate::testing::around;
using gate::testing::empty_run;
using gate::testing::finding;
using gate::testing::paired_run;
using gate::testing::quiet;
using gate::testing::result_of;
using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

const std::vector<double> zeros(5, 0.0);

struct Compared {
  record::Run before = empty_run("aaaa");
  record::Run after = empty_run("bbbb");
  policy::Policy policy;

  Compared() {
    add_case(before, "g/one/other", around(1e5, quiet));
    add_case(after, "g/one/other", around(1e5, quiet));
  }
  [[nodiscard]] reports::Report judge() const {
    gate::Comparison comparison;
    comparison.baseline = {&before};
    comparison.current = &after;
    auto report = gate::judge_stored(comparison, policy);
    if (!report) throw std::runtime_error(report.error().message);
    return *std::move(report);
  }
};

TEST(UsableResult, AMissingTimeHasTheReasonOfTheSuite) {
  Compared compared;
  add_case(compared.before, "g/one/hot", around(1e5, quiet));
  add_case(compared.after, "g/one/hot", around(1e5, quiet));
  record::CaseResult& result = result_of(compared.after, 0, "g/one/hot");
  result.measurements.clear();
  result.message = "time is not valid and not recorded: the device was throttled";
  const auto report = compared.judge();
  EXPECT_EQ(finding(report, "g/one/hot").verdict, Verdict::failed);
  EXPECT_TRUE(gate::testing::mentions(
      finding(report, "g/one/hot").reasons,
      "no numbers of time: time is not valid and not recorded: the device was throttled; measure again once this is "
      "fixed"));
}

TEST(UsableResult, ACaseOfZeroNanosecondsHasFailedByEveryRule) {
  for (const char* rule : {"default", "welch", "textbook"}) {
    Compared compared;
    compared.policy.rule = rule;
    add_case(compared.before, "g/one/zero", around(1e5, quiet));
    add_case(compared.after, "g/one/zero", zeros);
    const auto report = compared.judge();
    EXPECT_EQ(report.outcome, Outcome::fail) << rule;
    const auto& zero = finding(report, "g/one/zero");
    EXPECT_EQ(zero.verdict, Verdict::failed) << rule;
    EXPECT_EQ(
        zero.reasons.front(),
        "in 5 of 5 processes: time of 0 ns: measures nothing, a clock cycle takes longer; check that the compiler "
        "does not remove the work");
    EXPECT_NE(report.headline.words().find("g/one/zero: failed"), std::string::npos) << report.headline;
    EXPECT_NE(finding(report, "g/one/other").verdict, Verdict::failed);
    EXPECT_EQ(report.cases_judged, 1) << rule;
  }
}

TEST(UsableResult, ZeroOnBothSidesHasFailedToo) {
  Compared compared;
  add_case(compared.before, "g/one/zero", zeros);
  add_case(compared.after, "g/one/zero", zeros);
  EXPECT_EQ(finding(compared.judge(), "g/one/zero").verdict, Verdict::failed);
}

TEST(UsableResult, ABaselineOfZeroIsOneThatFailed) {
  Compared compared;
  add_case(compared.before, "g/one/zero", zeros);
  add_case(compared.after, "g/one/zero", around(1e5, quiet));
  const auto report = compared.judge();
  EXPECT_EQ(finding(report, "g/one/zero").verdict, Verdict::not_comparable);
  EXPECT_EQ(finding(report, "g/one/zero")
                .reasons.front()
                .words()
                .find("has no numbers in the baseline, where it failed in 5 of 5 "
                      "processes: time of 0 ns"),
            0U);
}

TEST(UsableResult, OneSampleOfNoTimeSpoilsItsProcess) {
  for (const double wrong :
       {0.0, -5.0, 5e-324, 1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Compared compared;
    compared.policy.rule = "textbook";
    add_case(compared.before, "g/one/v", around(1e5, quiet));
    add_case(compared.after, "g/one/v", around(1e5, quiet));
    result_of(compared.after, 3, "g/one/v").measurements[0].samples[1] = wrong;
    const auto report = compared.judge();
    EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::failed) << wrong;
    EXPECT_EQ(finding(report, "g/one/v").reasons.front().words().find("in 1 of 5 processes: time of "), 0U) << wrong;
    EXPECT_EQ(report.outcome, Outcome::fail) << wrong;
  }
}

TEST(UsableResult, WhatWasDiscardedAsWarmUpDoesNotCount) {
  Compared compared;
  record::CaseResult& result = result_of(compared.after, 0, "g/one/other");
  result.measurements[0].samples.insert(result.measurements[0].samples.begin(), 0.0);
  result.discarded_samples = 1;
  EXPECT_FALSE(gate::unusable_because(result, compared.after.cases[0]));
}

record::Case go_case(const std::string& name) {
  record::Case one;
  one.name = "example.org/p." + name;
  one.suite = "go";
  one.group = "p";
  one.protocol = "go/1";
  return one;
}

// Of NAME, where its package has OTHERS, too.
int cpus_of(const std::string& name, const std::vector<std::string>& others) {
  std::vector<record::Case> cases;
  for (const std::string& each : others) cases.push_back(go_case(each));
  cases.push_back(go_case(name));
  std::vector<const record::Case*> side;
  for (const record::Case& each : cases) side.push_back(&each);
  return gate::calls_at_once(cases.back(), gate::GoCpus(side));
}

// `go test` appends "-N" unless GOMAXPROCS is 1, and a sub-benchmark may have any name.
TEST(UsableResult, ASizeAtTheEndOfAGoNameIsNotANumberOfCpus) {
  EXPECT_EQ(cpus_of("Sum-8", {}), 8) << "a function has no hyphen";
  EXPECT_EQ(cpus_of("Sum/n-100-8", {"Sum-8"}), 8);
  EXPECT_EQ(cpus_of("Sum/a-8", {"Sum/b-8"}), 8) << "all of its package have it";
  EXPECT_EQ(cpus_of("Sum/n-4096", {}), 1) << "either";
  EXPECT_EQ(cpus_of("Sum/n-4096", {"Sum"}), 1) << "GOMAXPROCS is 1";
  EXPECT_EQ(cpus_of("Sum/n-4096", {"Sum/n-1024"}), 1);
  EXPECT_EQ(cpus_of("Sum/n-4096", {"Max/n-4096"}), 1) << "no machine has so many";
  EXPECT_EQ(cpus_of("Sum/n-0", {"Sum/a-0"}), 1);
  EXPECT_EQ(cpus_of("Sum/n-99999999999999999999", {"Sum/a-99999999999999999999"}), 1);
}

TEST(UsableResult, OnlyTheLastThreadsOfGoogleBenchmarkRunAtTheSameTime) {
  const auto at_once = [](const std::string& name, const std::string& protocol) {
    record::Case one;
    one.name = name;
    one.protocol = protocol;
    one.parameters = {{"threads", "64"}};
    return gate::calls_at_once(one, gate::GoCpus({&one}));
  };
  EXPECT_EQ(at_once("BM_x/n:8/threads:64", "google-benchmark/1"), 64);
  EXPECT_EQ(at_once("BM_x/threads:64/threads:2", "google-benchmark-manual/1"), 2);
  EXPECT_EQ(at_once("BM_x/threads:64#2", "google-benchmark/1"), 64) << "the second of one name";
  EXPECT_EQ(at_once("BM_x/threads:64/n:8", "google-benchmark/1"), 1);
  EXPECT_EQ(at_once("operators/threads/threads:64", "cpu-wall/1"), 1);
  EXPECT_EQ(at_once("t.py::f[64]", "pytest-benchmark/1"), 1);
}

TEST(UsableResult, ATimeBelowACycleNeedsCallsAtTheSameTime) {
  const std::vector<double> below(5, 0.05);
  for (const bool of_function : {true, false}) {
    Compared compared;
    for (record::Run* run : {&compared.before, &compared.after}) {
      add_case(*run, "p.Sum/n-4096", below);
      add_case(*run, of_function ? "p.Max-4096" : "p.Max", around(1e5, quiet));
      for (record::Case& each : run->cases) {
        if (!each.name.starts_with("p.")) continue;
        each.suite = "go";
        each.group = "p";
        each.protocol = "go/1";
      }
    }
    const auto report = compared.judge();
    EXPECT_EQ(finding(report, "p.Sum/n-4096").verdict == Verdict::failed, !of_function);
  }
}

TEST(UsableResult, AResultWithoutNumbersFails) {
  Compared compared;
  add_case(compared.before, "g/one/v", around(1e5, quiet));
  add_case(compared.after, "g/one/v", around(3e5, quiet));
  for (std::size_t process = 0; process < 5; ++process) {
    result_of(compared.after, process, "g/one/v").measurements.clear();
  }
  const auto report = compared.judge();
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::failed);
  EXPECT_EQ(finding(report, "g/one/v").reasons.front(), "in 5 of 5 processes: time: no numbers were reported");
}

TEST(UsableResult, AValueOtherThanATimeMayBeZeroOrLess) {
  Compared compared;
  for (record::Run* run : {&compared.before, &compared.after}) run->cases[0].metrics[0].unit = "bytes";
  for (std::size_t process = 0; process < 5; ++process) {
    auto& time = result_of(compared.after, process, "g/one/other").measurements[0];
    time.samples = {-1, 0, 1};
    time.summary->min = -1;
    time.summary->median = 0;
  }
  EXPECT_EQ(finding(compared.judge(), "g/one/other").verdict, Verdict::inconclusive);
}

TEST(UsableResult, PairsOfZeroHaveFailed) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/zero", std::vector<double>(20, 1e5), std::vector<double>(20, 0.0));
  add_paired_case(run, "g/one/same", std::vector<double>(20, 1e5), std::vector<double>(20, 1e5));
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->outcome, Outcome::fail);
  EXPECT_EQ(finding(*report, "g/one/zero").verdict, Verdict::failed);
  EXPECT_EQ(finding(*report, "g/one/same").verdict, Verdict::equivalent);
}

// One case whose output is compared with a reference, and whose code path is proved, on both sides.
struct Checked : Compared {
  Checked() {
    for (record::Run* const run : {&before, &after})
      for (std::size_t i = 0; i < run->processes.size(); ++i) {
        record::CaseResult& result = result_of(*run, i, "g/one/other");
        result.check = record::OutputCheck{"g/one/ref", 1e-6, 1e-6, std::nullopt, 1e-5, true};
        result.proofs = {{"calls aten::mm once", 1, true}};
      }
  }
  void change(const std::function<void(record::CaseResult&)>& edit) {
    for (std::size_t i = 0; i < after.processes.size(); ++i) edit(result_of(after, i, "g/one/other"));
  }
  [[nodiscard]] std::string doubt() const {
    for (const reports::Doubt& each : judge().doubts)
      if (each.kind == reports::DoubtKind::policy) return each.fact.words();
    return "";
  }
};

TEST(UsableResult, AnOutputThatItsOwnCheckRefusesIsWrong) {
  EXPECT_EQ(Checked().judge().outcome, Outcome::pass);
  Checked beyond;
  beyond.change([](record::CaseResult& result) { result.check->relative_l2 = 5; });
  EXPECT_EQ(finding(beyond.judge(), "g/one/other").verdict, Verdict::wrong);
  EXPECT_EQ(beyond.judge().outcome, Outcome::fail);
  Checked outside;
  outside.change([](record::CaseResult& result) { result.check->within = false; });
  EXPECT_EQ(finding(outside.judge(), "g/one/other").verdict, Verdict::wrong);
  Checked unproved;
  unproved.change([](record::CaseResult& result) { result.proofs.front().holds = false; });
  EXPECT_EQ(finding(unproved.judge(), "g/one/other").verdict, Verdict::wrong);
}

TEST(WeakerChecks, AreNamedInADoubt) {
  EXPECT_EQ(Checked().doubt(), "");
  Checked tolerant;
  tolerant.change([](record::CaseResult& result) { result.check->tolerance = 10; });
  EXPECT_EQ(
      tolerant.doubt(),
      "1 case checks its results less strictly than in the baseline: g/one/other (tolerance 1e-05 before, 10 now); "
      "review the change of the suite");
  tolerant.change([](record::CaseResult& result) { result.check->tolerance = 9e-5; });
  EXPECT_EQ(tolerant.doubt(), "") << "adjusted to another compiler";
  Checked gone;
  gone.change([](record::CaseResult& result) { result.check.reset(); });
  EXPECT_NE(gone.doubt().find("no longer compared with its reference"), std::string::npos) << gone.doubt();
  Checked unproved;
  unproved.change([](record::CaseResult& result) { result.proofs.clear(); });
  EXPECT_NE(unproved.doubt().find("(1 check of the code path before, 0 now)"), std::string::npos) << unproved.doubt();
}

TEST(WeakerChecks, OfPairsAreNamedToo) {
  record::Run run = paired_run("pppp");
  add_paired_case(run, "g/one/v", std::vector<double>(20, 1e5), std::vector<double>(20, 1e5));
  for (std::size_t i = 0; i < run.processes.size(); ++i)
    if (run.processes[i].side == 0) result_of(run, i, "g/one/v").proofs = {{"calls aten::mm once", 1, true}};
  const auto report = gate::judge_paired(run, {});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(std::any_of(report->doubts.begin(), report->doubts.end(), [](const reports::Doubt& each) {
    return each.fact.words().find("g/one/v (1 check of the code path before, 0 now)") != std::string::npos;
  }));
}

TEST(PartlyMissing, ACaseThatOneProcessOfFiveReportsIsMissing) {
  Compared compared;
  add_case(compared.before, "g/one/v", around(1e5, quiet));
  add_case(compared.after, "g/one/v", {3e5});
  const auto report = compared.judge();
  EXPECT_EQ(report.outcome, Outcome::fail);
  EXPECT_EQ(finding(report, "g/one/v").verdict, Verdict::missing);
  EXPECT_EQ(finding(report, "g/one/v").reasons.front(),
            "4 of 5 processes did not report it; in the baseline 0 of 5 did not");
  EXPECT_EQ(report.cases_judged, 1);
}

TEST(PartlyMissing, ACaseThatAsFewReportedBeforeIsComparedAsItIs) {
  Compared compared;
  add_case(compared.before, "g/one/v", around(1e5, quiet));
  add_case(compared.after, "g/one/v", around(1e5, quiet));
  for (record::Run* run : {&compared.before, &compared.after}) {
    for (std::size_t process = 2; process < 5; ++process)
      std::erase_if(run->processes[process].cases, [](const auto& r) { return r.name == "g/one/v"; });
  }
  EXPECT_EQ(finding(compared.judge(), "g/one/v").verdict, Verdict::equivalent);
}

TEST(PartlyMissing, ALostProcessIsNotSilent) {
  Compared compared;
  record::Process& lost = compared.after.processes[2];
  lost.status = record::ProcessStatus::crashed;
  lost.message = "killed by signal 9 (SIGKILL)";
  lost.cases.clear();
  EXPECT_EQ(compared.judge().outcome, Outcome::pass);
}

enum class CpuTime { absent, zero, as_time };

// Both sides get a CPU time that the policy gates: OF(is_after, process) of each process.
void add_cpu_time(Compared& compared, policy::Action action, const std::function<CpuTime(bool, std::size_t)>& of) {
  compared.policy.case_rules = {{"g/one/other", true, {}, {{"cpu_time", action}}, "torchgate.toml:1"}};
  for (record::Run* run : {&compared.before, &compared.after}) {
    run->cases[0].metrics.push_back(
        {"cpu_time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, false});
    for (std::size_t process = 0; process < 5; ++process) {
      const CpuTime time = of(run == &compared.after, process);
      if (time == CpuTime::absent) continue;
      auto& measurements = result_of(*run, process, "g/one/other").measurements;
      record::Measurement cpu = measurements.front();
      cpu.metric = "cpu_time";
      if (time == CpuTime::zero) {
        cpu.samples.assign(3, 0.0);
        cpu.summary->min = cpu.summary->median = cpu.summary->max = 0;
      }
      measurements.push_back(cpu);
    }
  }
}

// A metric that the policy gates: vanished, it is missing; at zero, it is failed; and the policy says what that does.
TEST(MetricState, AGatedMetricCannotVanish) {
  for (const policy::Action action : {policy::Action::fail, policy::Action::warn}) {
    for (const bool gone : {true, false}) {
      Compared compared;
      add_cpu_time(compared, action, [&](bool is_after, std::size_t) {
        return !is_after ? CpuTime::as_time : gone ? CpuTime::absent : CpuTime::zero;
      });
      const auto report = compared.judge();
      const auto& cpu = finding(report, "g/one/other", "cpu_time");
      EXPECT_EQ(cpu.verdict, gone ? Verdict::missing : Verdict::failed);
      EXPECT_EQ(cpu.action, action == policy::Action::fail ? GateAction::fail : GateAction::warn);
      EXPECT_EQ(finding(report, "g/one/other").verdict, Verdict::equivalent);
    }
  }
}

// CPU times of 0 in the baseline: they are left out, and where no other is left there is nothing to compare with.
TEST(MetricState, ABaselineOfZeroIsNotANumber) {
  for (const std::size_t zeros : {std::size_t{2}, std::size_t{5}}) {
    Compared compared;
    add_cpu_time(compared, policy::Action::fail, [&](bool is_after, std::size_t process) {
      return !is_after && process < zeros ? CpuTime::zero : CpuTime::as_time;
    });
    const auto report = compared.judge();
    const auto& cpu = finding(report, "g/one/other", "cpu_time");
    if (zeros == 2) {
      EXPECT_NEAR(*cpu.change, 0, 0.05);
      EXPECT_NE(cpu.verdict, Verdict::suspected);
    } else {
      EXPECT_EQ(cpu.verdict, Verdict::not_comparable);
      EXPECT_EQ(cpu.action, GateAction::warn);
      EXPECT_EQ(report.outcome, Outcome::no_verdict);
    }
  }
}

}  // namespace
