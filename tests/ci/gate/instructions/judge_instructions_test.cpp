// SPDX-License-Identifier: Apache-2.0
// Counts of instructions in a comparison: which changes are found, their action, and the reason where counts cannot be compared.
#include "ci/gate/instructions/judge_instructions.hpp"

#include <gtest/gtest.h>

#include "ci/gate/judge.hpp"
#include "ci/policy/case_rules.hpp"
#include "tests/ci/gate/found.hpp"
#include "tests/ci/gate/made_run.hpp"

namespace {

using namespace torchgate;
using namespace torchgate::gate::testing;
using reports::GateAction;
using reports::Outcome;
using reports::Verdict;

const std::string one = "g/one/v";
const std::string two = "g/one/w";

record::InstructionCount count(const std::string& name, const std::vector<double>& per_call) {
  record::InstructionCount count;
  count.case_name = name;
  count.counter = "callgrind-3.19.0";
  count.cpu_capability = "AVX2";
  count.per_call = per_call;
  if (per_call.empty()) count.unknown = "its process was killed by signal 4 while it was counted";
  return count;
}

record::Run run_of(const std::string& id, const std::vector<record::InstructionCount>& counts) {
  record::Run run = empty_run(id);
  add_case(run, one, around(1e6, 0.002));
  add_case(run, two, around(1e6, 0.002));
  run.instructions = counts;
  if (!counts.empty()) run.plan.count = record::CountPlan{"any", 2, 3};
  return run;
}

policy::Policy policy_with(const std::string& text) {
  policy::Policy policy;
  policy.confirm = policy::Confirm::none;
  const auto applied = policy::apply_policy_text(policy, text, "/p/torchgate.toml");
  EXPECT_TRUE(applied.ok()) << (applied.ok() ? "" : applied.error().message);
  return policy;
}

const std::string gated = "[[case]]\nmatch = \"^g/one/v$\"\nmetrics = { instructions = \"fail\" }\n";

reports::Report compared(const record::Run& before, const record::Run& after, const policy::Policy& policy,
                         gate::CalibratedSpread spread = {}) {
  gate::Comparison comparison;
  comparison.baseline = {&before};
  comparison.current = &after;
  comparison.instructions_spread_of = std::move(spread);
  auto report = gate::judge_stored(comparison, policy);
  if (!report) throw std::logic_error(report.error().message);
  return *std::move(report);
}

const reports::Finding* instructions_of(const reports::Report& report, const std::string& name) {
  for (const reports::Finding& finding : report.findings)
    if (finding.case_name == name && finding.metric.name == "instructions") return &finding;
  return nullptr;
}

record::InstructionCount with_functions(record::InstructionCount count, std::vector<record::FunctionCount> largest) {
  count.functions = static_cast<std::int64_t>(largest.size());
  count.largest = std::move(largest);
  return count;
}

TEST(Instructions, AnIncreaseBeyondTheThresholdIsChangedAndNamesItsFunctions) {
  const auto before = run_of(
      "aaaa", {with_functions(count(one, {100'000, 100'000}),
                              {{"_ZN2at6native4add_E", "libtorch_cpu.so", 90'000}, {"free", "libc.so.6", 10'000}})});
  const auto after = run_of(
      "bbbb", {with_functions(count(one, {100'300, 100'300}),
                              {{"_ZN2at6native4add_E", "libtorch_cpu.so", 90'290}, {"free", "libc.so.6", 10'010}})});
  const auto report = compared(before, after, policy_with(""));
  const reports::Finding* const found = instructions_of(report, one);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->verdict, Verdict::changed);
  EXPECT_EQ(found->action, GateAction::warn);
  EXPECT_NEAR(*found->change, 0.003, 1e-9);
  EXPECT_EQ(found->before->value, 100'000);
  EXPECT_EQ(found->after->value, 100'300);
  EXPECT_EQ(found->before->processes, 2);
  EXPECT_TRUE(mentions(found->reasons, "+0.3 % instructions per call; tolerance 0.01 %"));
  ASSERT_EQ(found->causes.size(), 1U) << "the second one is 3 % of the difference";
  EXPECT_EQ(found->causes.front(),
            "at::native::add_ (libtorch_cpu.so): +290 instructions per call (90000 before, 90290 after)");
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_TRUE(mentions(report.notes, "instructions (callgrind-3.19.0): 1 case compared, 1 changed"));
  EXPECT_TRUE(
      mentions(report.notes, "3 calls of each case were counted in each process: work that a case does less often"));
}

TEST(Instructions, ThePolicyMakesItFailOrPassAndSetsTheThreshold) {
  const auto before = run_of("aaaa", {count(one, {100'000, 100'000}), count(two, {100'000, 100'000})});
  const auto after = run_of("bbbb", {count(one, {100'300, 100'300}), count(two, {100'300, 100'300})});
  const auto failing = compared(before, after, policy_with(gated));
  EXPECT_EQ(failing.outcome, Outcome::fail);
  EXPECT_EQ(instructions_of(failing, one)->action, GateAction::fail);
  EXPECT_EQ(instructions_of(failing, two)->action, GateAction::warn);
  const auto own = compared(before, after, policy_with(gated + "instructions = 0.004\n"));
  EXPECT_EQ(instructions_of(own, one), nullptr);
  EXPECT_NE(instructions_of(own, two), nullptr);
  const auto all = compared(before, after, policy_with("[gate]\ninstructions = 0.004\n" + gated));
  EXPECT_EQ(instructions_of(all, one), nullptr);
  EXPECT_EQ(all.outcome, Outcome::pass);
  const auto allowed =
      compared(before, after, policy_with("[[case]]\nmatch = \".\"\nmetrics = { instructions = \"pass\" }\n"));
  EXPECT_EQ(instructions_of(allowed, one)->action, GateAction::note);
}

TEST(Instructions, FewerAreListedOnly) {
  const auto before = run_of("aaaa", {count(one, {100'000, 100'000})});
  const auto after = run_of("bbbb", {count(one, {90'000, 90'000})});
  const auto report = compared(before, after, policy_with(gated));
  EXPECT_EQ(instructions_of(report, one)->verdict, Verdict::changed);
  EXPECT_EQ(instructions_of(report, one)->action, GateAction::note);
  EXPECT_EQ(report.outcome, Outcome::pass);
}

TEST(Instructions, TheToleranceIsWhatProcessesShowed) {
  const auto before = run_of("aaaa", {count(one, {100'000, 100'300})});
  const auto after = run_of("bbbb", {count(one, {100'600, 100'700})});
  const auto within = compared(before, after, policy_with(gated));
  ASSERT_NE(instructions_of(within, one), nullptr) << "+0.5 %, and processes of a side differ by 0.3 %";
  EXPECT_EQ(instructions_of(within, one)->verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(instructions_of(within, one)->reasons, "+0.499 % instructions per call; tolerance 0.6 %"));
  EXPECT_EQ(instructions_of(compared(before, after, policy_with("")), one), nullptr) << "not gated";
  EXPECT_TRUE(mentions(within.notes, "smaller changes than their tolerance are not seen, at worst 0.6 % (g/one/v"));
  const auto beyond = compared(before, run_of("cccc", {count(one, {101'000, 101'000})}), policy_with(gated));
  EXPECT_EQ(instructions_of(beyond, one)->action, GateAction::fail);
  const auto calibrated =
      compared(before, after, policy_with(gated), [](const std::string& name, const std::string& counter) {
        return name == one && counter == "callgrind-3.19.0" ? std::optional(0.001) : std::nullopt;
      });
  EXPECT_EQ(instructions_of(calibrated, one)->verdict, Verdict::inconclusive)
      << "a calibration does not hide what the runs themselves show";
  const auto repeats = run_of("dddd", {count(one, {100'000, 100'000})});
  const auto moved = run_of("eeee", {count(one, {100'600, 100'600})});
  const auto by_calibration = compared(repeats, moved, policy_with(gated),
                                       [](const std::string&, const std::string&) { return std::optional(0.001); });
  ASSERT_NE(instructions_of(by_calibration, one), nullptr);
  EXPECT_TRUE(mentions(instructions_of(by_calibration, one)->reasons,
                       "tolerance 0.2 % (processes of the calibration differ by 0.1 %)"));
}

TEST(Instructions, OneProcessPerSideHasAnAssumedSpread) {
  const auto before = run_of("aaaa", {count(one, {100'000})});
  const auto policy = policy_with("[gate]\ninstructions = 0.001\n" + gated);
  const auto verdict_of = [&](double after) {
    return instructions_of(compared(before, run_of("bbbb", {count(one, {after})}), policy), one)->verdict;
  };
  EXPECT_EQ(verdict_of(100'150), Verdict::inconclusive) << "within twice 0.1 %";
  EXPECT_EQ(verdict_of(100'300), Verdict::changed);
}

TEST(Instructions, ACountThatIsLostIsNotSilent) {
  const auto before = run_of("aaaa", {count(one, {100'000, 100'000}), count(two, {100'000, 100'000})});
  // Both are unknown now, in a run that counts.
  const auto unknown = compared(before, run_of("bbbb", {count(one, {}), count(two, {})}), policy_with(gated));
  EXPECT_EQ(unknown.outcome, Outcome::fail);
  EXPECT_EQ(instructions_of(unknown, one)->verdict, Verdict::changed);
  EXPECT_EQ(instructions_of(unknown, one)->action, GateAction::fail);
  EXPECT_EQ(instructions_of(unknown, two)->action, GateAction::warn);
  EXPECT_TRUE(mentions(instructions_of(unknown, one)->reasons, "killed by signal 4"));
  EXPECT_FALSE(instructions_of(unknown, one)->after);
  // The run did not count at all: what is gated fails, of the others one note.
  const auto none = compared(before, run_of("cccc", {}), policy_with(gated));
  EXPECT_EQ(none.outcome, Outcome::fail);
  EXPECT_TRUE(mentions(instructions_of(none, one)->reasons, "run --instructions"));
  EXPECT_EQ(instructions_of(none, two), nullptr);
  const auto ungated = compared(before, run_of("cccc", {}), policy_with(""));
  EXPECT_EQ(ungated.outcome, Outcome::pass);
  EXPECT_TRUE(mentions(ungated.notes, "instructions of 2 cases were not compared: this run did not count them"));
}

TEST(Instructions, AGatedCaseWithoutAnyCountIsADoubtAndAFinding) {
  const auto report = compared(run_of("aaaa", {}), run_of("bbbb", {}), policy_with(gated));
  ASSERT_NE(instructions_of(report, one), nullptr);
  EXPECT_EQ(instructions_of(report, one)->verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(report.doubts, "instructions of g/one/v were not compared: neither side counted them"));
  EXPECT_EQ(instructions_of(report, two), nullptr);
  EXPECT_FALSE(mentions(report.notes, "no matching case has a metric"));
  const auto strict =
      compared(run_of("aaaa", {}), run_of("bbbb", {}), policy_with(gated + "inconclusive = \"fail\"\n"));
  EXPECT_EQ(strict.outcome, Outcome::fail);
}

TEST(Instructions, ABaselineWithoutACountIsADoubtOfAGatedCase) {
  const auto after = run_of("bbbb", {count(one, {100'000, 100'000}), count(two, {1, 1})});
  const auto missing = compared(run_of("aaaa", {}), after, policy_with(gated));
  EXPECT_EQ(instructions_of(missing, one)->verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(missing.doubts, "the baseline did not count them"));
  const auto unknown = compared(run_of("aaaa", {count(one, {})}), after, policy_with(gated));
  EXPECT_TRUE(mentions(unknown.doubts, "unknown in the baseline: its process was killed"));
}

TEST(Instructions, CountsOfDifferentKindsAreNeverCompared) {
  const auto before = run_of("aaaa", {count(one, {100'000, 100'000})});
  const auto refused = [&](const record::Run& after, const std::string& why) {
    const auto report = compared(before, after, policy_with(gated));
    const reports::Finding* const found = instructions_of(report, one);
    ASSERT_NE(found, nullptr) << why;
    EXPECT_EQ(found->verdict, Verdict::inconclusive) << why;
    EXPECT_TRUE(mentions(found->reasons, why)) << why;
    EXPECT_TRUE(mentions(report.doubts, why)) << why;
    EXPECT_TRUE(mentions(compared(before, after, policy_with("")).notes, why)) << "a note where it is not gated";
  };
  auto after = run_of("bbbb", {count(one, {200'000, 200'000})});
  after.instructions[0].counter = "hardware";
  refused(after, "counted with callgrind-3.19.0 in the baseline and with hardware now");
  after = run_of("bbbb", {count(one, {200'000, 200'000})});
  after.instructions[0].cpu_capability = "DEFAULT";
  refused(after, "kernels were chosen for AVX2 in the baseline and for DEFAULT now");
  after = run_of("bbbb", {count(one, {200'000, 200'000})});
  after.plan.count->calls = 1;
  refused(after, "counted over 3 and 1 calls per process");
  // What cannot be compared is not a loss either: it would be listed, and count as judged.
  after = run_of("bbbb", {count(one, {})});
  after.plan.count->calls = 1;
  refused(after, "counted over 3 and 1 calls per process");
}

void add_libtorch(record::Run& run, char content) {
  record::LoadedObject torch;
  torch.soname = torch.path = "libtorch_cpu.so";
  torch.sha256 = std::string(64, content);
  run.objects.push_back(torch);
  run.processes[0].objects.push_back(static_cast<std::int64_t>(run.objects.size()) - 1);
}

TEST(Instructions, AnotherLibTorchIsNeverCompared) {
  auto before = run_of("aaaa", {count(one, {100'000, 100'000})});
  auto after = run_of("bbbb", {count(one, {200'000, 200'000})});
  add_libtorch(before, 'e');
  add_libtorch(after, 'f');
  const auto report = compared(before, after, policy_with(gated));
  EXPECT_EQ(instructions_of(report, one)->verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(report.doubts, "LibTorch itself differs"));
}

// `run --skip-unchanged` leaves out the groups that load LibTorch, and the others are judged.
TEST(Instructions, ALibTorchThatOnlySkippedGroupsLoadIsNotADifferentOne) {
  auto before = run_of("aaaa", {count(one, {100'000, 100'000})});
  add_libtorch(before, 'e');
  const auto after = run_of("bbbb", {count(one, {200'000, 200'000})});
  EXPECT_EQ(instructions_of(compared(before, after, policy_with(gated)), one)->action, GateAction::fail);
  auto rebuilt = after;
  add_libtorch(rebuilt, 'f');
  rebuilt.processes[0].objects.pop_back();
  rebuilt.unchanged.push_back({"g/two", "aaaa", {static_cast<std::int64_t>(rebuilt.objects.size()) - 1}, {}});
  EXPECT_EQ(instructions_of(compared(before, rebuilt, policy_with(gated)), one)->verdict, Verdict::inconclusive);
}

TEST(Instructions, ACountOf0IsALostOne) {
  const auto before = run_of("aaaa", {count(one, {100'000, 100'000})});
  const auto report = compared(before, run_of("bbbb", {count(one, {0, 0})}), policy_with(gated));
  EXPECT_EQ(instructions_of(report, one)->action, GateAction::fail);
  EXPECT_TRUE(mentions(instructions_of(report, one)->reasons, "counted in the baseline and not now: 0 were counted"));
}

TEST(Instructions, AnotherCLibraryIsNotAChangeOfTheCode) {
  auto before = run_of("aaaa", {count(one, {100'000, 100'000})});
  auto after = run_of("bbbb", {count(one, {200'000, 200'000})});
  before.machine.facts.push_back({"libc", "glibc 2.36", "", record::FactClass::warn});
  after.machine.facts.push_back({"libc", "glibc 2.39", "", record::FactClass::warn});
  const auto report = compared(before, after, policy_with(""));
  EXPECT_EQ(instructions_of(report, one), nullptr);
  EXPECT_TRUE(mentions(report.notes, "libc was \"glibc 2.36\" and is \"glibc 2.39\""));
}

TEST(Instructions, BothSidesOfPairsAreCompared) {
  record::Run run = paired_run("aaaa");
  add_paired_case(run, one, wobble(1e6, 1), wobble(1e6, 2));
  auto before = count(one, {100'000, 100'000});
  auto after = count(one, {100'300, 100'300});
  after.side = 1;
  run.instructions = {before, after};
  const auto report = gate::judge_paired(run, policy_with(gated));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_NE(instructions_of(*report, one), nullptr);
  EXPECT_EQ(instructions_of(*report, one)->action, GateAction::fail);
}

TEST(Instructions, UnderRuleExactTheSameCountIsAnAnswer) {
  const auto before = run_of("aaaa", {count(one, {100'000, 100'000})});
  const auto after = run_of("bbbb", {count(one, {100'001, 100'001})});
  auto policy = policy_with("");
  policy.rule = "exact";
  const auto report = compared(before, after, policy);
  ASSERT_NE(instructions_of(report, one), nullptr);
  EXPECT_EQ(instructions_of(report, one)->verdict, Verdict::equivalent);
  EXPECT_EQ(report.outcome, Outcome::pass);
  EXPECT_EQ(report.cases_judged, 1);
}

TEST(Instructions, AWaiverCoversAnIncreaseUpToItsCeiling) {
  const auto before = run_of("aaaa", {count(one, {100'000, 100'000})});
  const auto after = run_of("bbbb", {count(one, {100'300, 100'300})});
  auto policy = policy_with(gated);
  policy.today = std::chrono::year_month_day(std::chrono::year(2026), std::chrono::month(1), std::chrono::day(1));
  policy::Waiver waiver;
  waiver.case_name = one;
  waiver.metric = "instructions";
  waiver.ceiling = 100'300;
  waiver.reason = "a check was added";
  waiver.expires = std::chrono::year_month_day(std::chrono::year(2026), std::chrono::month(2), std::chrono::day(1));
  policy.waivers = {waiver};
  EXPECT_EQ(compared(before, after, policy).outcome, Outcome::pass);
  policy.waivers.front().ceiling = 100'200;
  EXPECT_EQ(compared(before, after, policy).outcome, Outcome::fail);
}

}  // namespace
