// SPDX-License-Identifier: Apache-2.0
#include "reports/advice.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/record/imported.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_pairs.hpp"
#include "reports/facts/about_states.hpp"
#include "reports/facts/about_tests.hpp"
#include "tests/reports/model_parts.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

TEST(Advice, ForTooFewDecidedCasesIsToMeasureMore) {
  Report report = models::too_few_decided();
  EXPECT_NE(next_steps(report).front().find("measure both builds in interleaved pairs"), std::string::npos);
  report.paired = true;
  EXPECT_NE(next_steps(report).front().find("give the pairs more time"), std::string::npos);
  report.rule = "textbook";
  EXPECT_NE(next_steps(report).front().find("cannot show that there is none"), std::string::npos);
  report.rule = "exact";
  EXPECT_NE(next_steps(report).front().find("--instructions"), std::string::npos);
  report.pairs_planned = true;
  EXPECT_NE(next_steps(report).front().find("`torchgate ab --pair-plan FILE`"), std::string::npos);
}

// More calls of warm-up would hide what only the first calls show.
TEST(Advice, NamesPairsThatSampleAsTheRunDid) {
  Report report = models::too_few_decided();
  report.after.sampling.warmup_calls = 1;
  EXPECT_NE(next_steps(report).front().find("(`torchgate ab --before PATH --after PATH --warmup 1`, or"),
            std::string::npos);
  report.after.sampling.samples = 7;
  report.after.sampling.profile = "full";
  report.outcome = Outcome::fail;
  report.findings = {models::timed("g/one", Verdict::suspected, GateAction::fail, 1e5, 0.2)};
  EXPECT_NE(
      next_steps(report).front().find("`torchgate ab --before PATH --after PATH --full --warmup 1 --samples 7` those"),
      std::string::npos);
}

TEST(Advice, ForAFileThatMayBeReadIsNotMorePairs) {
  Report report = models::too_few_decided();
  report.paired = true;
  Finding open = models::timed("g/one", Verdict::inconclusive, GateAction::note, 1e5, 0.01);
  open.reasons = {facts::data_changed(facts::Names{"model.bin"})};
  report.findings.push_back(open);
  EXPECT_NE(next_steps(report).front().find("`torchgate ab --before COMMIT --after COMMIT`"), std::string::npos);
  report.findings.back().verdict = Verdict::equivalent;
  EXPECT_NE(next_steps(report).front().find("give the pairs more time"), std::string::npos);
}

TEST(Advice, ForWhatAWaiverCoversIsNone) {
  Report report;
  report.outcome = Outcome::pass;
  report.findings = {models::timed("g/one", Verdict::regressed, GateAction::note, 1e5, 0.2),
                     models::timed("g/two", Verdict::suspected, GateAction::note, 1e5, 0.2)};
  EXPECT_EQ(next_steps(report).size(), 2U);
  for (Finding& finding : report.findings) finding.waived = true;
  EXPECT_TRUE(next_steps(report).empty());
}

TEST(Advice, ForOtherHostsIsOneMachine) {
  Report report = models::host_differs();
  report.differences.clear();  // nothing else is recorded of the hosts
  report.cases_judged = 0;
  EXPECT_NE(next_steps(report).front().find("measure both sides on one machine"), std::string::npos);
}

// More files would not be read either.
TEST(Advice, OfFilesUnderARuleThatReadsNoFilesIsToOmitTheRule) {
  Report report = models::too_few_decided();
  report.after.sampling.profile = record::imported_profile;
  report.rule = "exact";
  EXPECT_EQ(next_steps(report).front(),
            "--rule exact compares counts, and no times of result files: omit it (and `gate.rule`).");
  report.rule = "paired";
  EXPECT_EQ(next_steps(report).front(),
            "--rule paired judges interleaved pairs, and no times of result files: omit it (and `gate.rule`).");
  report.rule = "history";
  EXPECT_EQ(next_steps(report).front(),
            "--rule history compares with at least five runs, and the files of a side are one: omit it (and "
            "`gate.rule`).");
  report.before.run_ids = {"1", "2", "3", "4", "5"};
  EXPECT_EQ(next_steps(report).front().find("Too few cases were decided: run the tool"), 0U);
}

// torchgate cannot measure what another tool measured, and files have no baseline in the store.
TEST(Advice, ForFilesOfAnotherToolNamesNothingThatCannotWork) {
  for (const char* const rule : {"default", "textbook"}) {
    Report report = models::too_few_decided();
    report.rule = rule;
    report.after.sampling.profile = "imported";
    for (const Verdict verdict : {Verdict::missing, Verdict::not_comparable, Verdict::regressed, Verdict::improved,
                                  Verdict::suspected, Verdict::inconclusive})
      report.findings.push_back(models::timed("g/one", verdict, GateAction::fail, 1e5, 0.2));
    for (const DoubtKind kind : {DoubtKind::separate_runs, DoubtKind::incomplete, DoubtKind::lost,
                                 DoubtKind::suite_shift, DoubtKind::other_machine, DoubtKind::inputs})
      report.doubts.emplace_back("it happened", kind);
    const auto steps = next_steps(report);
    EXPECT_NE(steps.front().find("`torchgate compare B1,B2,B3 A1,A2,A3`"), std::string::npos) << steps.front();
    for (const std::string& step : steps)
      for (const char* const command : {"torchgate run", "torchgate ab", "baseline", "use the default rule"})
        EXPECT_EQ(step.find(command), std::string::npos) << step;
  }
}

// More files would lack it as well.
TEST(Advice, ForCasesThatLostACountIsToCountOnBothSides) {
  Report report = models::too_few_decided();
  Finding lost = models::timed("attention/sdpa/flash/device:cpu/seq:512", Verdict::changed, GateAction::warn, 16, 0);
  lost.metric = {"allocated_bytes", "bytes", record::Direction::lower_is_better, record::MetricKind::exact};
  lost.after.reset();
  report.findings.push_back(lost);
  EXPECT_EQ(next_steps(report).front(),
            "1 undecided case lost a count of the baseline (allocated_bytes): restore it in the suite, or, if its "
            "removal is intended, lower `gate.min_decided` for this change.");
  report.after.sampling.profile = record::imported_profile;
  EXPECT_EQ(next_steps(report).front(),
            "1 undecided case lost a count of the baseline (allocated_bytes): measure both sides with the same options "
            "(Go: `-benchmem`), or both without this count.");
  report.decided = {10, 1, 1, 0};
  EXPECT_EQ(next_steps(report).front().find("lost a count"), std::string::npos) << "1 of 9";
}

// More files would not confirm it.
TEST(Advice, ForFilesThatAreFasterSaysWhatAcceptsThem) {
  Report report = models::too_few_decided();
  report.after.sampling.profile = record::imported_profile;
  EXPECT_EQ(next_steps(report).front().find("Too few cases were decided: run the tool several times"), 0U);
  Finding faster = models::timed("g/one", Verdict::inconclusive, GateAction::note, 1e5, -0.28);
  faster.reasons = {facts::test(stats::Reason::improvement_unconfirmed)};
  report.findings = {faster};
  report.decided = {2, 0, 2, 0};
  EXPECT_EQ(next_steps(report).front(),
            "1 undecided case is faster than the baseline, which files cannot confirm: a faster machine looks the "
            "same, and hides slow-downs. Where both builds were measured on one machine in alternation, "
            "`gate.min_decided = 0` accepts it.");
  report.decided = {3, 0, 3, 0};
  EXPECT_EQ(next_steps(report).front().find("Too few cases were decided"), 0U) << "1 of 3";
}

TEST(Advice, ForPairsNamesNoBaselineAndTheirOwnResume) {
  Report report = models::all_pass();
  report.paired = true;
  report.findings = {models::timed("g/one", Verdict::missing, GateAction::fail, 1e5, 0.2),
                     models::timed("g/two", Verdict::not_comparable, GateAction::fail, 1e5, 0.2)};
  report.doubts = {Doubt("it was interrupted", DoubtKind::incomplete)};
  const auto steps = next_steps(report);
  for (const std::string& step : steps) EXPECT_EQ(step.find("baseline"), std::string::npos) << step;
  EXPECT_NE(steps.back().find("`torchgate ab --resume`"), std::string::npos) << steps.back();
  report.doubts.back().fix = "measure them again with the same command";
  EXPECT_EQ(next_steps(report).back(),
            "Some pairs are missing (see the doubts): measure them again with the same command.");
}

// The record is complete: there is nothing to resume.
TEST(Advice, ForLostProcessesIsNotToResume) {
  for (const bool paired : {false, true}) {
    Report report = models::all_pass();
    report.paired = paired;
    report.doubts = {Doubt("2 processes were lost", DoubtKind::lost)};
    const std::string step = next_steps(report).back();
    EXPECT_EQ(step.find("--resume"), std::string::npos) << step;
    EXPECT_NE(step.find("fix what ended them"), std::string::npos) << step;
  }
}

// No number of files confirms a suspect.
TEST(Advice, ForSuspectsOfFilesIsNotToConfirmThemByFiles) {
  Report report = models::all_pass();
  report.before.sampling.profile = record::imported_profile;
  report.findings = {models::timed("g/one", Verdict::suspected, GateAction::warn, 1e5, 0.08)};
  const auto steps = next_steps(report);
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps[0].find("Files confirm no suspect (1 suspect)"), 0U) << steps[0];
}

TEST(Advice, ForSuspectsOfFilesThatFailIsToAcceptOrToMeasure) {
  Report report = models::all_pass();
  report.before.sampling.profile = record::imported_profile;
  report.after.sampling.profile = record::imported_profile;
  report.findings = {models::timed("g/one", Verdict::suspected, GateAction::fail, 1e5, 0.5)};
  auto steps = next_steps(report);
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0],
            "1 suspect fails: if the slow-down is intended, accept it with `torchgate accept CASE --reason ...` and "
            "commit the waiver (of a pull request: to its target branch, then run the job again).");
  report.findings.push_back(models::timed("g/two", Verdict::suspected, GateAction::warn, 1e5, 0.08));
  report.findings.push_back(models::timed("g/three", Verdict::suspected, GateAction::fail, 1e5, 0.5));
  steps = next_steps(report);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].find("2 suspects fail: "), 0U) << steps[0];
  EXPECT_EQ(steps[1].find("Files confirm no suspect (1 suspect)"), 0U) << steps[1];
  report.findings.push_back(models::timed("g/four", Verdict::regressed, GateAction::fail, 1e5, 0.5));
  for (const std::string& step : next_steps(report))
    EXPECT_TRUE(step.find("accept CASE") == std::string::npos || step.find("suspect") == std::string::npos) << step;
}

TEST(Advice, NamesNoMorePairsThanCanBeAskedFor) {
  Report report = models::all_pass();
  report.paired = true;
  const auto open = [](const char* name, std::int64_t needed) {
    Finding finding = models::timed(name, Verdict::inconclusive, GateAction::note, 1e5, 0.01);
    finding.processes_needed = needed;
    return finding;
  };
  report.findings = {open("g/one", 12), open("g/two", 32'925)};
  const auto steps = next_steps(report);
  ASSERT_GE(steps.size(), 2U);
  EXPECT_EQ(steps[0], "About 12 more pairs needed to decide the inconclusive case.");
  EXPECT_EQ(steps[1],
            "1 inconclusive case varies too much on this machine for more pairs to decide it (at most 1,000 can be "
            "measured): use a quieter machine, or a benchmark that varies less.");
}

TEST(Advice, WhereASuiteCouldNotListItsCasesIsToRepairIt) {
  Report report = models::too_few_decided();
  report.paired = true;
  Finding finding = models::timed("g/one", Verdict::not_comparable, GateAction::warn, 1e5, 0.0);
  finding.before.reset();
  finding.reasons = {facts::no_numbers_before(facts::suite_not_listed("ended with exit code 3"))};
  report.findings = {finding};
  report.doubts = {Doubt("a process of g was lost", DoubtKind::lost)};
  const auto steps = next_steps(report);
  ASSERT_EQ(steps.size(), 1U) << steps.back();
  EXPECT_NE(steps[0].find("a suite of the before side could not list its cases"), std::string::npos) << steps[0];
  report.findings.push_back(models::timed("g/two", Verdict::inconclusive, GateAction::note, 1e5, 0.0));
  EXPECT_NE(next_steps(report).front().find("give the pairs more time"), std::string::npos);
}

TEST(Advice, EachKindOfDoubtHasItsOwnStep) {
  const auto last_step = [](DoubtKind kind) {
    Report report = models::all_pass();
    const std::size_t before = next_steps(report).size();
    report.doubts = {Doubt("it happened", kind), Doubt("and again", kind)};
    const auto steps = next_steps(report);
    return steps.size() == before ? std::string() : steps.size() == before + 1 ? steps.back() : "more than one";
  };
  const std::string quieter = "stop other work";
  EXPECT_NE(last_step(DoubtKind::machine).find(quieter), std::string::npos);
  EXPECT_NE(last_step(DoubtKind::unfit).find("unfit for timing"), std::string::npos);
  std::set<std::string> steps;
  for (const DoubtKind kind : {DoubtKind::separate_runs, DoubtKind::incomplete, DoubtKind::lost, DoubtKind::suite_shift,
                               DoubtKind::same_files, DoubtKind::inputs, DoubtKind::policy}) {
    const std::string step = last_step(kind);
    EXPECT_EQ(step.find(quieter), std::string::npos) << step;
    EXPECT_TRUE(!step.empty() && steps.insert(step).second) << step;
  }
  EXPECT_EQ(last_step(DoubtKind::other), "");
}

TEST(Advice, NamesTheFixesOfTheDoubtsEachOnce) {
  Report report;
  report.outcome = Outcome::pass;
  for (const char* const fix : {"stop other programs", "connect the power supply", "stop other programs"}) {
    report.doubts.emplace_back("it was bad", DoubtKind::machine);
    report.doubts.back().fix = fix;
  }
  EXPECT_EQ(
      next_steps(report),
      std::vector<std::string>{"The machine was noisy: stop other programs; connect the power supply; check it with "
                               "`torchgate doctor`, then measure again."});
  report.doubts = {Doubt("it was measured with less", DoubtKind::policy)};
  report.doubts.back().fix = "set gate.weaker_run = \"warn\"";
  EXPECT_EQ(next_steps(report),
            std::vector<std::string>{"Review the policy or waiver problem named in the doubts; set gate.weaker_run = "
                                     "\"warn\"."});
  report.doubts = {Doubt("the work tree was modified")};
  EXPECT_TRUE(next_steps(report).empty());
  report.doubts.back().fix = "measure it (`torchgate run`)";
  EXPECT_EQ(next_steps(report), std::vector<std::string>{"To settle the doubts: measure it ('torchgate run')."});
}

TEST(Advice, OfInterleavedPairsDoesNotAskForInterleavedPairs) {
  for (Report report : {models::interleaved(), models::suspected_unconfirmed(), models::no_baseline()}) {
    report.paired = true;
    report.before.run_ids = {"r-1"};
    for (const DoubtKind kind : {DoubtKind::machine, DoubtKind::unfit, DoubtKind::separate_runs, DoubtKind::other})
      report.doubts.emplace_back("it happened", kind);
    Finding open;
    open.verdict = Verdict::inconclusive;
    open.processes_needed = 12;
    report.findings.push_back(open);
    for (const std::string& step : next_steps(report)) {
      EXPECT_EQ(step.find("in alternation"), std::string::npos) << step;
      EXPECT_EQ(step.find("per side"), std::string::npos) << step;
    }
  }
}

TEST(Advice, UndecidedTimesOfAGpuHaveAnotherMetric) {
  const auto names_metric = [](const std::string& case_name, const std::string& metric, Verdict verdict) {
    Report report;
    report.outcome = Outcome::pass;
    Finding finding;
    finding.case_name = case_name;
    finding.metric.name = metric;
    finding.metric.primary = true;
    finding.verdict = verdict;
    report.findings = {finding};
    const std::vector<std::string> steps = next_steps(report);
    return !steps.empty() && steps.back().find("`--device-metric gpu_time_hot`") != std::string::npos;
  };
  EXPECT_TRUE(names_metric("s/g/v/device:cuda", "time", Verdict::inconclusive));
  EXPECT_FALSE(names_metric("s/g/v/device:cuda", "time", Verdict::equivalent));
  EXPECT_FALSE(names_metric("s/g/v/device:cuda", "gpu_time_hot", Verdict::inconclusive));
  EXPECT_FALSE(names_metric("s/g/v/device:cpu", "time", Verdict::inconclusive));
}

TEST(Advice, NoVerdictSaysHowToGetOne) {
  EXPECT_NE(next_steps(models::no_baseline()).front().find("baseline add"), std::string::npos);
  EXPECT_NE(next_steps(models::host_differs()).front().find("different machines"), std::string::npos);
  Report nothing = models::no_baseline();
  nothing.before.label.clear();  // of `torchgate report RUN`, which asked for no baseline
  EXPECT_EQ(next_steps(nothing).front(),
            "Compare it with another run, or with result files of the other build: `torchgate compare BEFORE AFTER`.");
  nothing.before.run_ids = {"r-1"};
  EXPECT_EQ(next_steps(nothing).front(), "Check the filter and the skipped or failed processes listed in the run.");
  Finding single;
  single.verdict = Verdict::inconclusive;
  single.before.emplace().processes = 5;
  single.after.emplace().processes = 1;
  nothing.findings = {single};
  EXPECT_NE(next_steps(nothing).front().find("at least two processes per side"), std::string::npos);
  nothing.outcome = Outcome::fail;
  EXPECT_NE(next_steps(nothing).front().find("at least two processes per side"), std::string::npos);
  nothing.outcome = Outcome::no_verdict;
  EXPECT_EQ(next_steps(nothing).size(), 1U) << "once";
  nothing.rule = "textbook";
  EXPECT_EQ(next_steps(nothing).front().find("at least two processes per side"), std::string::npos);
  nothing.rule = "default";
  nothing.findings.front().after->processes = 2;
  EXPECT_EQ(next_steps(nothing).front().find("at least two processes per side"), std::string::npos);
}

// `ab --budget "3 pairs"` over three groups measures one pair of each: more than the budget is not what --pairs asks for.
TEST(Advice, NamesTheLimitThatEndedPairs) {
  Report report = models::no_baseline();
  report.paired = true;
  Finding& single = report.findings.emplace_back();
  single.verdict = Verdict::inconclusive;
  single.before.emplace().processes = 1;
  single.after.emplace().processes = 1;
  report.before.label = "before";
  report.before.run_ids = {"r-1"};
  EXPECT_EQ(next_steps(report).front(), "Measure more pairs: `--pairs 20`.");
  report.notes.push_back(facts::budget_spent_before(facts::budget_of_pairs(3), 3));
  EXPECT_EQ(next_steps(report).front(), "Measure more pairs: give them a larger `--budget`.");
}

TEST(Advice, PairsSinceAPinThatAreOnlyPlannedNeedNoStoredBinaries) {
  Report since = models::since_pin();
  since.outcome = Outcome::no_verdict;
  since.findings.clear();
  since.paired = false;
  EXPECT_NE(next_steps(since).front().find("store the binaries"), std::string::npos);
  since.pairs_planned = true;
  EXPECT_NE(next_steps(since).front().find("`torchgate ab --pair-plan FILE`"), std::string::npos);
}

TEST(Advice, TriedAndUntriedSuspectsNeedDifferentThings) {
  EXPECT_EQ(
      next_steps(models::suspected_unconfirmed()).front(),
      "Confirm or clear 1 suspect in interleaved pairs: `torchgate gate AFTER --against BEFORE` runs the programs "
      "of both runs again, `torchgate ab --before PATH --after PATH` those of two builds.");
  Report imported = models::suspected_unconfirmed();
  imported.before.sampling.profile = "imported";
  EXPECT_EQ(next_steps(imported).front().find("torchgate gate"), std::string::npos) << "it cannot be measured again";
  Report tried = models::suspected_unconfirmed();
  tried.findings.front().confirmation->pairs = 48;
  EXPECT_EQ(next_steps(tried).front(),
            "1 suspect is undecided after interleaved pairs: use more pairs (`--pairs`) or a quieter machine.");
}

TEST(Advice, AGoodRunNeedsNone) {
  Report report;
  report.outcome = Outcome::pass;
  EXPECT_TRUE(next_steps(report).empty());
}

}  // namespace
}  // namespace torchgate::reports
