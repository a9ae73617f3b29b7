// SPDX-License-Identifier: Apache-2.0
// A small file must not ask for much: counts and lengths are refused at their place, and what is written stays within them.
#include "harness/base/limits.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "harness/base/pattern.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/calibration.hpp"
#include "harness/record/codec.hpp"
#include "harness/record/warnings.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record {
namespace {

std::string refusal(const record::Run& run) {
  const auto read = run_from_json(to_json(run), "x.json");
  return read ? "none" : read.error().message;
}

Metric counted(std::string name) {
  return {std::move(name), "1", Direction::lower_is_better, MetricKind::exact, false};
}

TEST(Limits, OfNames) {
  record::Run run = testing::example_run();
  run.cases[0].name = std::string(base::max_name_bytes, 'n');
  run.processes.clear();
  run.groups.clear();
  EXPECT_EQ(refusal(run), "none");
  run.cases[0].name += 'n';
  EXPECT_TRUE(refusal(run).starts_with("x.json: /cases/0/name: expected at most 4096 bytes, found 4097"));
}

TEST(Limits, OfFilters) {
  record::Run run = testing::example_run();
  run.plan.filter = std::string(base::max_pattern_bytes + 1, '(');
  EXPECT_TRUE(refusal(run).starts_with("x.json: /plan/filter: expected at most 1024 bytes")) << refusal(run);
}

// A number that decides how long something takes, or how much memory, has the limit of its flag.
TEST(Limits, OfNumbers) {
  static constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::pair<const char*, std::function<void(record::Run&)>>> beyond{
      {"/plan/processes", [](auto& run) { run.plan.processes = huge; }},
      {"/plan/processes", [](auto& run) { run.plan.processes = base::max_processes + 1; }},
      {"/plan/shard", [](auto& run) { run.plan.shard = run.plan.shards = huge; }},
      {"/plan/shards", [](auto& run) { run.plan.shards = base::max_shards + 1; }},
      {"/plan/group_limit_s", [](auto& run) { run.plan.group_limit_s = 1e10; }},
      {"/plan/total_limit_s", [](auto& run) { run.plan.total_limit_s = 1e300; }},
      {"/plan/budget_s", [](auto& run) { run.plan.budget_s = 1e10; }},
      {"/plan/budget_pairs", [](auto& run) { run.plan.budget_pairs = huge; }},
      {"/plan/missing_shards/0",
       [](auto& run) {
         run.plan.division.resize(2);
         run.plan.missing_shards = {huge};
       }},
      {"/plan/confirms/family",
       [](auto& run) {
         run.plan.confirms = Confirms{run.id, run.id, huge};
       }},
      {"/plan/count/processes",
       [](auto& run) {
         run.plan.count = CountPlan{"any", 1001, 3};
       }},
      {"/plan/count/calls",
       [](auto& run) {
         run.plan.count = CountPlan{"any", 2, huge};
       }},
      {"/groups/0/ranks", [](auto& run) { run.groups[0].ranks = huge; }},
      {"/objects/0/bytes", [](auto& run) { run.objects[0].bytes = huge; }},
      {"/processes/0/wall_ns", [](auto& run) { run.processes[0].wall_ns = huge; }},
      {"/processes/0/pair", [](auto& run) { run.processes[0].pair = huge; }},
      {"/processes/0/exit_code", [](auto& run) { run.processes[0].exit_code = huge; }},
      {"/processes/0/signal", [](auto& run) { run.processes[0].signal = huge; }},
      {"/processes/0/cases/0/calls_per_sample", [](auto& run) { run.processes[0].cases[0].calls_per_sample = huge; }},
      {"/processes/0/cases/0/warmup_calls", [](auto& run) { run.processes[0].cases[0].warmup_calls = huge; }},
  };
  for (const auto& [place, set] : beyond) {
    record::Run run = testing::example_run();
    set(run);
    EXPECT_TRUE(refusal(run).starts_with("x.json: " + std::string(place) + ": expected ")) << place << refusal(run);
  }
}

TEST(Limits, OfCounts) {
  const record::Run good = testing::example_run();
  record::Run run = good;
  run.processes.assign(static_cast<std::size_t>(base::max_processes) + 1, Process());
  EXPECT_TRUE(refusal(run).starts_with("x.json: /processes/100000: more than 100000")) << refusal(run);
  run = good;
  run.objects.assign(static_cast<std::size_t>(base::max_objects) + 1, run.objects[0]);
  EXPECT_TRUE(refusal(run).starts_with("x.json: /objects/10000: more than 10000")) << refusal(run);
  run = good;
  run.cases[0].metrics.clear();
  for (std::int64_t i = 0; i <= base::max_metrics_of_case; ++i)
    run.cases[0].metrics.push_back(counted("m" + std::to_string(i)));
  EXPECT_TRUE(refusal(run).starts_with("x.json: /cases/0/metrics/256: more than 256")) << refusal(run);
  run = good;
  run.cases[0].parameters.clear();
  for (std::int64_t i = 0; i <= base::max_parameters; ++i) run.cases[0].parameters.push_back({std::to_string(i), ""});
  EXPECT_NE(refusal(run).find("more than 1000 members"), std::string::npos) << refusal(run);
}

TEST(Limits, OfWarningsAreKeptWhenWriting) {
  record::Run run = testing::example_run();
  run.warnings.clear();
  for (int i = 0; i < 3000; ++i) run.warnings.push_back("warning " + std::to_string(i));
  const std::string text = to_json(run);
  const auto read = run_from_json(text, "x.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->warnings.size(), static_cast<std::size_t>(base::max_warnings));
  EXPECT_EQ(read->warnings[998], "warning 998");
  EXPECT_EQ(read->warnings[999], "2001 more warnings were dropped");

  const std::string more = std::string(text).insert(text.find("\"warning 0\""), "\"one more\",");
  EXPECT_EQ(run_from_json(more, "x.json").error().message,
            "x.json: /warnings/1000: more than 1000 elements, which is the limit of this list");
}

TEST(Limits, OfMessagesAreKeptWhenWriting) {
  record::Run run = testing::example_run();
  run.warnings = {std::string(base::max_text_bytes - 1, 'w') + "\xC3\xA9", std::string(base::max_text_bytes, '\xFF')};
  const auto read = run_from_json(to_json(run), "x.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->warnings[0], std::string(base::max_text_bytes - 1, 'w'));  // half a character would be none
  EXPECT_LE(read->warnings[1].size(), base::max_text_bytes);
}

// "0," is a whole name in memory.
TEST(Limits, OfWhatReferencesCopy) {
  record::Run run = testing::example_run();
  run.groups.clear();
  run.processes.clear();
  Case one = run.cases[0];
  one.metrics.clear();
  for (int i = 0; i < 100; ++i) one.metrics.push_back(counted(std::to_string(i) + std::string(4000, 'x')));
  run.cases.clear();
  for (int i = 0; i < 200; ++i) {
    one.name = std::to_string(i);
    run.cases.push_back(one);
  }
  EXPECT_NE(refusal(run).find("too many references to long names"), std::string::npos) << refusal(run);
}

TEST(CheckJson, RefusesDepthBeforeATreeIsMade) {
  EXPECT_TRUE(json::check_json("{\"a\": [1, 2]}", "f").ok());
  EXPECT_FALSE(json::check_json("[1, 2", "f").ok());
  const std::string deep(1'000'000, '[');
  EXPECT_NE(json::check_json(deep, "f").error().message.find("nested deeper"), std::string::npos);
  EXPECT_NE(calibration_from_json("{\"later\":" + deep, "f").error().message.find("nested deeper"), std::string::npos);
}

TEST(ShownText, HasNoControlCharacters) {
  EXPECT_EQ(base::shown("a\x1B[2Jb\nc\x7F"), "a?[2Jb?c?");
  EXPECT_EQ(base::shown("\xC2\x9B[2J"), "?[2J");                 // CSI as one character of C1
  EXPECT_EQ(base::shown("a\xE2\x80\xAE.\xE2\x81\xA6"), "a?.?");  // right-to-left override, isolate
  EXPECT_EQ(base::shown("a\xE2\x80\xA8.\xE2\x80\x8B"), "a?.?");  // line separator, zero-width space
  EXPECT_EQ(base::shown("\xD8\x9C\xEF\xBB\xBF"), "??");
  EXPECT_EQ(base::shown("\xC2\xB5s \xE2\x80\xA6 \xE2\x89\xA4"), "\xC2\xB5s \xE2\x80\xA6 \xE2\x89\xA4");
}

}  // namespace
}  // namespace torchgate::record
