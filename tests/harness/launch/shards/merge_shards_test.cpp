// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/shards/merge_shards.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/record/codec.hpp"

namespace torchgate::launch {
namespace {

using Names = std::vector<std::string>;

/// Shard NUMBER of three, with one group of one case that one process measured.
ShardFile shard(std::int64_t number) {
  const std::string digit = std::to_string(number);
  const std::string group = "s/g" + digit;
  record::Run run;
  run.id = std::string(15, '0') + digit;
  run.created = "2026-01-01T00:00:0" + digit + ".000Z";
  run.tool_version = "1";
  run.plan.shard = number;
  run.plan.shards = 3;
  run.plan.seed = 7;
  run.plan.suites = {"s"};
  run.plan.division = {{"s/g1"}, {"s/g2"}, {"s/g3"}};
  run.machine.host_key = "host-a";
  run.machine.facts = {{"kernel", "6.1", "", record::FactClass::warn},
                       {"load", "0." + digit, "", record::FactClass::info}};
  run.sides = {record::Side{"run", {}, {"s"}}};
  run.objects = {
      {"/s", "", 10, 1, 1, std::string(64, 'a'), true, false},
      {"/lib" + digit + ".so", "lib" + digit + ".so", 10, 1, 1, std::string(64, digit.front()), false, false}};
  run.groups = {{group, "s", std::nullopt, {}, 1}};
  record::Case definition;
  definition.name = group + "/v";
  definition.suite = "s";
  definition.group = group;
  definition.variant = "v";
  definition.protocol = "p/1";
  run.cases = {definition};
  record::Process process;
  process.suite = "s";
  process.group = group;
  process.started = run.created;
  process.objects = {0, 1};
  record::CaseResult result;
  result.name = definition.name;
  process.cases = {result};
  run.processes = {process};
  return {digit + ".json", run};
}

std::string refusal(std::vector<ShardFile> shards, base::ErrorCode code = base::ErrorCode::bad_input) {
  const auto merged = merge_shards(std::move(shards));
  EXPECT_FALSE(merged);
  if (merged) return "";
  EXPECT_EQ(merged.error().code, code) << merged.error().message;
  return merged.error().message;
}

void expect_says(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "not said: " << part << "\nin: " << message;
}

TEST(MergeShards, MakesOneRunWhateverTheOrder) {
  const auto merged = merge_shards({shard(2), shard(3), shard(1)});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->plan.shards, 1);
  EXPECT_TRUE(merged->plan.missing_shards.empty());
  EXPECT_FALSE(merged->interrupted);
  EXPECT_EQ(merged->created, "2026-01-01T00:00:01.000Z");
  ASSERT_EQ(merged->processes.size(), 3U);
  ASSERT_EQ(merged->objects.size(), 4U);  // the executable once
  for (std::size_t i = 0; i < 3; ++i) {
    const record::Process& process = merged->processes[i];
    EXPECT_EQ(process.group, "s/g" + std::to_string(i + 1));
    EXPECT_EQ(process.index, static_cast<std::int64_t>(i));
    ASSERT_EQ(process.objects.size(), 2U);
    EXPECT_TRUE(merged->objects[static_cast<std::size_t>(process.objects[0])].executable);
    EXPECT_EQ(merged->objects[static_cast<std::size_t>(process.objects[1])].soname,
              "lib" + std::to_string(i + 1) + ".so");
  }
  EXPECT_TRUE(merged->warnings.empty());  // an info fact differs in every run
  const auto again = merge_shards({shard(1), shard(2), shard(3)});
  ASSERT_TRUE(again);
  EXPECT_EQ(record::to_json(*again), record::to_json(*merged));
  const auto read = record::run_from_json(record::to_json(*merged), "merged");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, *merged);
}

TEST(MergeShards, RefusesAnotherHostUnderTheSameKey) {
  auto first = shard(1);
  auto other = shard(2);
  first.run.machine.facts.push_back({"cpu_model", "Model A", "", record::FactClass::host});
  other.run.machine.facts.push_back({"cpu_model", "Model B", "", record::FactClass::host});
  expect_says(refusal({first, other, shard(3)}, base::ErrorCode::no_verdict),
              {"cpu_model Model A in 1.json and Model B in 2.json", "different machines"});
}

TEST(MergeShards, NamesPlannedGroupsWithoutAProcess) {
  constexpr const char* warning = "2.json has no process of planned groups, and no record of why: s/g2";
  auto empty = shard(2);
  empty.run.processes.clear();
  const auto warnings = [&] { return merge_shards({shard(1), empty, shard(3)})->warnings; };
  EXPECT_EQ(warnings(), std::vector<std::string>{warning});
  empty.run.cases.front().skipped = "no CUDA device";
  EXPECT_TRUE(warnings().empty());
  empty.run.cases.clear();
  empty.run.groups.clear();
  EXPECT_EQ(warnings(), std::vector<std::string>{warning});
  empty.run.unchanged = {{"s/g2", "0000000000000009", {}, {}}};
  EXPECT_TRUE(warnings().empty());
  empty.run.unchanged.clear();
  record::Process listing;
  listing.suite = "s";
  listing.status = record::ProcessStatus::crashed;
  empty.run.processes = {listing};
  EXPECT_TRUE(warnings().empty()) << "the listing is recorded as lost";
}

TEST(MergeShards, SaysWhichAreMissing) {
  const auto merged = merge_shards({shard(2)});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->plan.missing_shards, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(merged->plan.division.size(), 3U);
  EXPECT_EQ(merged->cases.size(), 1U);
}

// The job that judges compares them with those of the base branch.
TEST(MergeShards, HasTheShortestLimitsOfAll) {
  auto shorter = shard(2);
  shorter.run.plan.group_limit_s = 1;
  auto first = shard(1);
  first.run.plan.group_limit_s = 600;
  first.run.plan.total_limit_s = 18000;
  auto last = shard(3);
  last.run.plan.group_limit_s = 600;
  last.run.plan.total_limit_s = 60;
  const auto merged = merge_shards({first, shorter, last});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->plan.group_limit_s, 1.0);
  EXPECT_EQ(merged->plan.total_limit_s, 60.0);
}

TEST(MergeShards, AnInterruptedShardMakesTheRunInterrupted) {
  auto stopped = shard(2);
  stopped.run.interrupted = true;
  const auto merged = merge_shards({shard(1), stopped, shard(3)});
  ASSERT_TRUE(merged);
  EXPECT_TRUE(merged->interrupted);
}

TEST(MergeShards, TheSameShardTwiceNamesBothFiles) {
  auto again = shard(2);
  again.name = "again.json";
  again.run.id = "00000000000000ff";
  expect_says(refusal({shard(1), shard(2), again}), {"2.json and again.json are both shard 2 of 3"});
}

TEST(MergeShards, RefusesRunsThatAreNotShards) {
  auto whole = shard(1);
  whole.run.plan.shards = 1;
  expect_says(refusal({whole, shard(2)}), {"1.json is not a shard"});
  auto old = shard(1);
  old.run.plan.division.clear();
  expect_says(refusal({old}), {"1.json does not list the groups of its plan"});
}

TEST(MergeShards, RefusesAnotherPlan) {
  const auto with = [](auto change) {
    auto other = shard(2);
    change(other.run);
    return refusal({shard(1), other});
  };
  expect_says(with([](auto& run) { run.plan.seed = 8; }), {"seed 7 in 1.json and 8 in 2.json"});
  expect_says(with([](auto& run) { run.plan.profile = "quick"; }), {"profile default in 1.json and quick in 2.json"});
  expect_says(with([](auto& run) { run.plan.filter = "x"; }), {"filter '.*' in 1.json and 'x' in 2.json"});
  expect_says(with([](auto& run) { run.plan.processes = 9; }), {"processes per group: 5 in 1.json and 9 in 2.json"});
  expect_says(with([](auto& run) { run.plan.samples = 3; }), {"--samples (default) in 1.json and 3 in 2.json"});
  expect_says(with([](auto& run) { run.plan.warmup_calls = 1; }), {"--warmup (default) in 1.json and 1 in 2.json"});
  expect_says(with([](auto& run) { run.plan.suites = {"s", "t"}; }), {"suites s in 1.json and s, t in 2.json"});
  expect_says(with([](auto& run) { run.plan.division[2].push_back("s/g4"); }), {"divided differently"});
  expect_says(with([](auto& run) { run.sides.front().source.commit = "abc"; }), {"commit (unknown) in 1.json and abc"});
  expect_says(with([](auto& run) {
                run.plan.shards = 4;
                run.plan.division.resize(4);
              }),
              {"shards: 3 in 1.json and 4 in 2.json"});
}

/// The same as pairs of a pair plan.
ShardFile pair_shard(std::int64_t number) {
  ShardFile file = shard(number);
  file.run.sides = {record::Side{"before", {}, {"s"}}, record::Side{"after", {}, {"s"}}};
  file.run.plan.confirms = record::Confirms{"aaaa", "bbbb", 3};
  return file;
}

TEST(MergeShards, MakesOneRunOfThePairsOfAPlan) {
  auto knows = pair_shard(2);
  knows.run.changed_data = {"a.csv", "b.csv"};
  auto knows_too = pair_shard(3);
  knows_too.run.changed_data = {"b.csv", "c.csv"};
  const auto merged = merge_shards({pair_shard(1), knows, knows_too});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->plan.confirms, pair_shard(1).run.plan.confirms);
  EXPECT_EQ(merged->changed_data, (Names{"a.csv", "b.csv", "c.csv"}));
  EXPECT_FALSE(merge_shards({pair_shard(1), pair_shard(2)})->changed_data);
}

TEST(MergeShards, RefusesPairsOfAnotherPlan) {
  const auto with = [](auto change) {
    auto other = pair_shard(2);
    change(other.run);
    return refusal({pair_shard(1), other});
  };
  expect_says(with([](auto& run) { run.plan.confirms->run = "cccc"; }),
              {"pairs of run aaaa in 1.json and cccc in 2.json"});
  expect_says(with([](auto& run) { run.plan.confirms->baseline = "cccc"; }),
              {"pairs with baseline bbbb in 1.json and cccc in 2.json"});
  expect_says(with([](auto& run) { run.plan.confirms->family = 4; }), {"the pair plans of 1.json and 2.json differ"});
  expect_says(with([](auto& run) { run.plan.budget_s = 60; }), {"the pair plans of 1.json and 2.json differ"});
  expect_says(with([](auto& run) { run.plan.confirms->rebuilt = "abc"; }), {"rebuilt for one of 1.json and 2.json"});
  expect_says(with([](auto& run) { run.plan.confirms.reset(); }),
              {"1.json has the pairs of a pair plan, and 2.json has none"});
  expect_says(with([](auto& run) { run.plan.seed = 8; }), {"seed 7 in 1.json and 8 in 2.json", "one pair plan"});
  expect_says(with([](auto& run) { run.sides.back().source.commit = "abc"; }), {"commit (unknown) in 1.json and abc"});
  expect_says(refusal({pair_shard(1), shard(2)}), {"different numbers of sides"});
  auto again = pair_shard(1);
  again.name = "again.json";
  expect_says(refusal({pair_shard(1), again}), {"1.json and again.json are both shard 1 of 3"});
  auto whole = pair_shard(1);
  whole.run.plan.shards = 1;
  expect_says(refusal({whole}), {"`torchgate ab --pair-plan FILE --shard 1/2`"});
}

TEST(MergeShards, RefusesCasesOutOfPlace) {
  auto twice = shard(2);
  twice.run.cases.push_back(shard(1).run.cases.front());
  expect_says(refusal({shard(1), twice}), {"duplicate case s/g1/v in 1.json and 2.json"});
  auto stranger = shard(2);
  stranger.run.groups.front().name = "s/g3";
  expect_says(refusal({shard(1), stranger}), {"2.json has the group s/g3, which is not in its part"});
}

TEST(MergeShards, RefusesAnotherMetricOfCasesOnAGpu) {
  const auto judged_by = [](std::int64_t number, bool device_time) {
    ShardFile file = shard(number);
    const auto lower = record::Direction::lower_is_better;
    file.run.cases.front().device = "cuda";
    file.run.cases.front().metrics = {{"time", "ns", lower, record::MetricKind::timed, !device_time},
                                      {"gpu_time_hot", "ns", lower, record::MetricKind::timed, device_time}};
    return file;
  };
  expect_says(refusal({shard(1), judged_by(2, false), judged_by(3, true)}),
              {"cases on a GPU are judged by time in 2.json and gpu_time_hot in 3.json", "run.device_metric"});
  EXPECT_TRUE(merge_shards({shard(1), judged_by(2, true), judged_by(3, true)}));
}

TEST(MergeShards, RefusesAnotherHostOrDevice) {
  auto other = shard(2);
  other.run.machine.host_key = "host-b";
  expect_says(refusal({shard(1), other}, base::ErrorCode::no_verdict), {"host host-a in 1.json and host-b in 2.json"});
  auto first = shard(1);
  first.run.machine.device_key = "A";
  other = shard(2);
  other.run.machine.device_key = "B";
  expect_says(refusal({first, other}, base::ErrorCode::no_verdict), {"device A in 1.json and B in 2.json"});
  auto third = shard(3);
  third.run.machine.device_key = "A";
  expect_says(refusal({shard(1), other, third}, base::ErrorCode::no_verdict), {"device B in 2.json and A in 3.json"});
  third.run.machine.device_key.reset();
  EXPECT_TRUE(merge_shards({shard(1), other, third})) << "without cases on a GPU";
  for (auto* const file : {&other, &third}) file->run.cases.front().device = "cuda";
  expect_says(refusal({shard(1), other, third}, base::ErrorCode::no_verdict),
              {"device B in 2.json and unknown in 3.json"});
}

TEST(MergeShards, RefusesAnotherBuildAndSaysAnotherSystem) {
  auto other = shard(2);
  other.run.objects.front().sha256 = std::string(64, 'b');
  expect_says(refusal({shard(1), other}), {"the executable of the suite s differs between 1.json and 2.json"});
  auto first = shard(1);
  other = shard(2);
  for (auto* one : {&first, &other}) {
    one->run.objects.push_back({"/libc", "libc", 1, 1, 1, std::string(64, one == &first ? 'c' : 'd'), false, true});
    one->run.processes.front().objects.push_back(2);
  }
  const auto merged = merge_shards({first, other, shard(3)});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->warnings, (Names{"libc of the suite s, a system library, differs between 1.json and 2.json"}));
}

std::string value(const record::Run& run, const std::string& name) {
  for (const auto& fact : run.machine.facts)
    if (fact.name == name) return fact.value.value_or("");
  return "absent";
}

TEST(MergeShards, KeepsFactsThatDifferByShardAndWarns) {
  auto other = shard(2);
  other.run.machine.facts.front().value = "6.2";
  const auto merged = merge_shards({shard(1), other, shard(3)});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->warnings, (Names{"shard 2 ran where kernel is 6.2, not 6.1"}));
  EXPECT_EQ(value(*merged, "kernel"), "6.1");
  EXPECT_EQ(value(*merged, "kernel (shard 2)"), "6.2");
  EXPECT_EQ(value(*merged, "kernel (shard 3)"), "absent");
}

// What only one suite reports is not a difference between the shards.
TEST(MergeShards, KeepsFactsOfSuitesThatOtherShardsDoNotHave) {
  static constexpr const char* build = "google_benchmark_library_build_type";
  const auto with_fact = [](int number, const std::string& value) {
    auto one = shard(number);
    one.run.machine.facts.push_back({build, value, "", record::FactClass::warn});
    return one;
  };
  const auto merged = merge_shards({shard(1), with_fact(2, "debug"), with_fact(3, "debug")});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->warnings, Names{});
  EXPECT_EQ(value(*merged, build), "debug");
  EXPECT_EQ(value(*merged, std::string(build) + " (shard 2)"), "absent");

  const auto differs = merge_shards({shard(1), with_fact(2, "debug"), with_fact(3, "release")});
  ASSERT_TRUE(differs) << differs.error().message;
  EXPECT_EQ(differs->warnings, Names{"shard 3 ran where google_benchmark_library_build_type is release, not debug"});
  EXPECT_EQ(value(*differs, std::string(build) + " (shard 3)"), "release");
}

TEST(MergeShards, WarnsOfVariablesThatLibrariesRead) {
  const auto with = [](int number, const std::string& variables, const std::string& switches = "none") {
    auto one = shard(number);
    one.run.machine.facts.push_back({"environment_switches", switches, "", record::FactClass::warn});
    one.run.machine.facts.push_back({"library_environment", variables, "", record::FactClass::info});
    return one;
  };
  const auto merged = merge_shards(
      {with(1, "LANG=C MKL_CBWR=AVX2 OMP_NUM_THREADS=1"), with(2, "LANG=de OMP_NUM_THREADS=1 OMP_WAIT_POLICY=active"),
       with(3, "KMP_BLOCKTIME=0 LANG=C MKL_CBWR=AVX2 OMP_NUM_THREADS=1", "KMP_BLOCKTIME=0")});
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->warnings, (Names{"shard 2 ran where MKL_CBWR is unset, not AVX2",
                                     "shard 2 ran where OMP_WAIT_POLICY is active, not unset",
                                     "shard 3 ran where environment_switches is KMP_BLOCKTIME=0, not none"}));
}

TEST(MergeShards, TheWorseAnswerOfTheDoctorCounts) {
  using record::CheckAnswer;
  using record::CheckSeverity;
  auto good = shard(1);
  auto hot = shard(2);
  good.run.machine.checks_after = {{"heat", CheckAnswer::ok, CheckSeverity::info, "", ""}};
  hot.run.machine.checks_after = {{"heat", CheckAnswer::bad, CheckSeverity::fatal, "it was hot", "cool it"}};
  for (const auto& order : {std::vector{good, hot, shard(3)}, std::vector{hot, good, shard(3)}}) {
    const auto merged = merge_shards(order);
    ASSERT_TRUE(merged) << merged.error().message;
    ASSERT_EQ(merged->machine.checks_after.size(), 1U);
    EXPECT_EQ(merged->machine.checks_after.front().answer, CheckAnswer::bad);
  }
}

}  // namespace
}  // namespace torchgate::launch
