// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/base/limits.hpp"
#include "harness/base/pattern.hpp"
#include "harness/import/same_names.hpp"

namespace torchgate::launch {
namespace {

record::Case make_case(const std::string& name) {
  record::Case result;
  result.name = name;
  result.suite = name.substr(0, name.find('/'));
  result.group = name.substr(0, name.rfind('/'));
  result.protocol = "cpu-wall/1";
  result.variant = name.substr(name.rfind('/') + 1);
  result.metrics = {{"time", "ns", record::Direction::lower_is_better, record::MetricKind::timed, true}};
  return result;
}

/// A suite with these cases; its groups follow from their names.
ListedSuite make_suite(const std::vector<std::string>& cases, double seconds = 10) {
  ListedSuite suite;
  suite.listing.suite = cases.front().substr(0, cases.front().find('/'));
  suite.executable = "/build/" + suite.listing.suite;
  suite.listing.seconds_estimate = seconds;
  for (const std::string& name : cases) {
    suite.listing.cases.push_back(make_case(name));
    const std::string group = suite.listing.cases.back().group;
    const auto is_it = [&](const record::Group& each) { return each.name == group; };
    if (std::none_of(suite.listing.groups.begin(), suite.listing.groups.end(), is_it))
      suite.listing.groups.push_back({group, suite.listing.suite, std::nullopt, {}});
  }
  return suite;
}

Selection select(const std::vector<Listing>& listings, const record::Plan& plan = {},
                 const std::vector<std::string>& only = {}) {
  auto selection = select_cases(listings, {"before", "after"}, plan, only);
  EXPECT_TRUE(selection) << selection.error().message;
  return selection ? *std::move(selection) : Selection{};
}

std::vector<std::string> names(const std::vector<record::Case>& cases) {
  std::vector<std::string> result;
  for (const auto& each : cases) result.push_back(each.name);
  return result;
}

using Names = std::vector<std::string>;
const ListedSuite fusion = make_suite({"fusion/conv/eager", "fusion/conv/folded", "fusion/linear/eager"});
const ListedSuite loader = make_suite({"loader/sweep/1"});

TEST(Selection, TakesEverythingByDefault) {
  const Selection selection = select({{{fusion, loader}, {}}});
  EXPECT_EQ(names(selection.cases),
            (Names{"fusion/conv/eager", "fusion/conv/folded", "fusion/linear/eager", "loader/sweep/1"}));
  EXPECT_EQ(selection.groups.size(), 3U);
  EXPECT_EQ(selection.suites, (Names{"fusion", "loader"}));
  ASSERT_EQ(selection.to_run.size(), 3U);
  EXPECT_EQ(selection.to_run[0].name, "fusion/conv");
  EXPECT_EQ(selection.to_run[0].sides.at(0).executable, "/build/fusion");
  EXPECT_EQ(selection.to_run[0].filter, ".*");
}

TEST(Selection, SharesTheEstimateByCases) {
  const Selection selection = select({{{fusion}, {}}});
  EXPECT_DOUBLE_EQ(*selection.to_run[0].sides[0].seconds, 10.0 * 2 / 3);
  EXPECT_DOUBLE_EQ(*selection.to_run[1].sides[0].seconds, 10.0 * 1 / 3);
}

TEST(Selection, FilterIsSearchedInCaseNames) {
  record::Plan plan;
  plan.filter = "/fol";
  const Selection selection = select({{{fusion, loader}, {}}}, plan);
  EXPECT_EQ(names(selection.cases), (Names{"fusion/conv/folded"}));
  EXPECT_EQ(selection.to_run.size(), 1U);
  EXPECT_EQ(selection.to_run[0].filter, "/fol");
}

TEST(Selection, BadFilterAndNoMatchAreErrors) {
  record::Plan plan;
  plan.filter = "conv(";
  EXPECT_EQ(select_cases({{{fusion}, {}}}, {"run"}, plan, {}).error().code, base::ErrorCode::bad_input);
  plan.filter = "convolution";
  EXPECT_EQ(select_cases({{{fusion}, {}}}, {"run"}, plan, {}).error().message,
            "no case matches the filter 'convolution'; list the cases with `torchgate run --list`");
}

TEST(Selection, ExactNamesGoToTheirOwnGroups) {
  record::Plan plan;
  plan.filter = "nothing like it";
  const Selection selection =
      select({{{fusion, loader}, {}}}, plan, {"fusion/conv/folded", "loader/sweep/1", "gone/x/y"});
  EXPECT_EQ(names(selection.cases), (Names{"fusion/conv/folded", "loader/sweep/1"}));
  EXPECT_EQ(selection.to_run[0].filter, "^(?:fusion/conv/folded)$");
  EXPECT_EQ(selection.to_run[1].filter, "^(?:loader/sweep/1)$");
  EXPECT_EQ(selection.warnings, (Names{"The case gone/x/y was requested, but is in none of the suites"}));
}

TEST(Selection, ExactFilterFindsExactlyTheNames) {
  const Names hard = {"a/b(1)[2]{3}^$", "x.y*z+?|\\w", "s/g/v/dtype:bf16-x_1"};
  const auto finds = [](const std::vector<std::string>& names, const std::string& text) {
    return base::Pattern::compile(exact_filter(names)).value().found_in(text);
  };
  for (const std::string& name : hard) {
    EXPECT_TRUE(finds(hard, name)) << name;
    EXPECT_FALSE(finds(hard, name + "2")) << name;
    EXPECT_FALSE(finds(hard, "a" + name)) << name;
  }
  EXPECT_FALSE(finds(hard, "xxyzz"));
  EXPECT_FALSE(finds({}, "anything"));
}

TEST(Selection, ALongListOfNamesIsRecordedAsEverything) {
  EXPECT_EQ(recorded_filter({"a/b"}), exact_filter({"a/b"}));
  const Names many(base::max_pattern_bytes / 4, "a/b/c");
  EXPECT_GT(exact_filter(many).size(), base::max_pattern_bytes);
  EXPECT_EQ(recorded_filter(many), ".*");
}

TEST(Selection, SkippedCasesAreListedAndNotRun) {
  ListedSuite suite = fusion;
  suite.listing.cases[1].skipped = "no CUDA device";
  suite.listing.cases[2].skipped = "no CUDA device";
  const Selection selection = select({{{suite}, {}}});
  EXPECT_EQ(selection.cases.size(), 3U);
  EXPECT_EQ(selection.groups.size(), 2U);
  ASSERT_EQ(selection.to_run.size(), 1U);  // fusion/linear has nothing left to run
  EXPECT_EQ(selection.to_run[0].sides[0].cases, (Names{"fusion/conv/eager"}));
  EXPECT_EQ(selection.to_run[0].sides[0].skipped.at("fusion/conv/folded"), "no CUDA device");
  EXPECT_DOUBLE_EQ(*selection.to_run[0].sides[0].seconds, 10.0);
}

TEST(Selection, ACaseThatOneSideCanRunIsNotSkipped) {
  ListedSuite before = fusion;
  before.listing.cases[1].skipped = "no AMX";
  for (const auto& sides : {std::vector<Listing>{{{before}, {}}, {{fusion}, {}}}, {{{fusion}, {}}, {{before}, {}}}}) {
    const Selection selection = select(sides);
    EXPECT_EQ(selection.cases[1].skipped, std::nullopt);
    EXPECT_TRUE(selection.warnings.empty());
  }
}

TEST(Selection, SidesMayHaveDifferentGroups) {
  const ListedSuite before = make_suite({"fusion/conv/eager", "fusion/old/eager"});
  const ListedSuite after = make_suite({"fusion/conv/eager", "fusion/new/eager"});
  const Selection selection = select({{{before}, {}}, {{after}, {}}});
  ASSERT_EQ(selection.to_run.size(), 3U);
  const auto sides = [&](const std::string& group) {
    std::vector<std::int64_t> result;
    for (const auto& each : selection.to_run)
      if (each.name == group)
        for (const auto& side : each.sides) result.push_back(side.side);
    return result;
  };
  EXPECT_EQ(sides("fusion/conv"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(sides("fusion/old"), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(sides("fusion/new"), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(selection.cases.size(), 3U);
}

TEST(Selection, DifferentDefinitionsOfOneCaseAreToldAndTheNewerIsKept) {
  ListedSuite after = fusion;
  after.listing.cases[0].protocol = "cpu-wall/2";
  after.listing.cases[0].input_seed = 9;
  const Selection selection = select({{{fusion}, {}}, {{after}, {}}});
  EXPECT_EQ(selection.cases[0].protocol, "cpu-wall/2");
  EXPECT_EQ(selection.warnings,
            (Names{"The case fusion/conv/eager is defined differently in before and after "
                   "(its measuring protocol was cpu-wall/1 and is cpu-wall/2, its input seed was 0 and is "
                   "9): its two timings are not comparable"}));
  EXPECT_EQ(*selection.cases[0].sides_differ,
            "its measuring protocol was cpu-wall/1 and is cpu-wall/2, its input seed was 0 and is 9");
  EXPECT_FALSE(selection.cases[1].sides_differ);
}

TEST(Selection, OtherProcessSettingsAreAnotherDefinitionWhereBothSidesKnowThem) {
  ListedSuite before = fusion;
  ListedSuite after = fusion;
  after.listing.cases[0].settings = std::string("threads 4");
  EXPECT_FALSE(select({{{before}, {}}, {{after}, {}}}).cases[0].sides_differ);
  before.listing.cases[0].settings = std::string("none");
  EXPECT_EQ(*select({{{before}, {}}, {{after}, {}}}).cases[0].sides_differ,
            "its process setting was none and is threads 4");
}

// However many they are: a record keeps a thousand warnings.
TEST(Selection, EachCaseSaysItselfWhatItsSidesDefineDifferently) {
  Names many;
  for (int i = 0; i < 1200; ++i) many.push_back("many/sweep/" + std::to_string(i));
  const ListedSuite before = make_suite(many);
  ListedSuite after = before;
  for (record::Case& each : after.listing.cases) each.parameters = {{"batch", "8"}};
  const Selection selection = select({{{before}, {}}, {{after}, {}}});
  ASSERT_EQ(selection.cases.size(), many.size());
  for (const record::Case& each : selection.cases)
    EXPECT_EQ(*each.sides_differ, "its parameters was none and is batch:8") << each.name;
}

TEST(Selection, OtherWorkPerCallIsAnotherCase) {
  ListedSuite before = fusion;
  before.listing.cases[0].items_per_call = 100;
  before.listing.cases[1].bytes_per_call = 4096;
  before.listing.cases[2].items_per_call = 1000;
  ListedSuite after = before;
  after.listing.cases[0].items_per_call = 1;
  after.listing.cases[1].bytes_per_call = 8192;
  after.listing.cases[2].items_per_call = 1001;
  const Selection selection = select({{{before}, {}}, {{after}, {}}});
  EXPECT_EQ(*selection.cases[0].sides_differ, "its number of items per call was 100 and is 1");
  EXPECT_EQ(*selection.cases[1].sides_differ, "its number of bytes per call was 4096 and is 8192");
  EXPECT_FALSE(selection.cases[2].sides_differ);
  EXPECT_EQ(selection.warnings.size(), 3U);
}

TEST(Selection, WhatIsStillTheSameCaseIsOnlyAWarning) {
  ListedSuite after = fusion;
  after.listing.cases[0].items_per_call = 8;
  const Selection selection = select({{{fusion}, {}}, {{after}, {}}});
  EXPECT_EQ(selection.warnings, (Names{"The case fusion/conv/eager is defined differently in before and after "
                                       "(items per call): its two timings are not comparable"}));
  EXPECT_FALSE(selection.cases[0].sides_differ);
}

TEST(Selection, OtherNumbersOfOneNameCannotBeMatched) {
  ListedSuite two = fusion;
  two.listing.cases[0].parameters = {{import::same_name_parameter, "2"}};
  EXPECT_EQ(*select({{{two}, {}}, {{fusion}, {}}}).cases[0].ambiguous,
            "the name has 2 benchmarks before and 1 after; they cannot be matched");
  EXPECT_EQ(*select({{{fusion}, {}}, {{two}, {}}}).cases[0].ambiguous,
            "the name has 1 benchmark before and 2 after; they cannot be matched");
  EXPECT_FALSE(select({{{two}, {}}, {{two}, {}}}).cases[0].ambiguous);
}

TEST(Selection, AnotherUnitIsAnotherDefinitionButAnExtraMetricIsNot) {
  ListedSuite after = fusion;
  after.listing.cases[0].metrics.push_back(
      {"calls", "1", record::Direction::lower_is_better, record::MetricKind::exact, false});
  EXPECT_TRUE(select({{{fusion}, {}}, {{after}, {}}}).warnings.empty());
  after.listing.cases[0].metrics[0].unit = "us";
  EXPECT_EQ(select({{{fusion}, {}}, {{after}, {}}}).warnings.size(), 1U);
}

// Else a change could take away what it is judged by.
TEST(Selection, AMetricOfEitherSideIsKeptAndSoIsItsGate) {
  ListedSuite before = fusion;
  record::Metric calls{"calls", "1", record::Direction::lower_is_better, record::MetricKind::exact, false};
  calls.gated = true;
  before.listing.cases[0].metrics.push_back(calls);
  ListedSuite after = fusion;
  const auto metric_of = [&] { return select({{{before}, {}}, {{after}, {}}}).cases[0].metrics.back(); };
  EXPECT_EQ(metric_of(), calls);
  calls.gated = false;
  after.listing.cases[0].metrics.push_back(calls);
  EXPECT_TRUE(metric_of().gated);
  before.listing.cases[0].metrics.back() =
      record::Metric{"calls", "1", record::Direction::lower_is_better, record::MetricKind::timed, false, false, true};
  after.listing.cases[0].metrics.back().kind = record::MetricKind::timed;
  EXPECT_TRUE(metric_of().judged);
}

// The values of one side would be dropped, and nothing would be judged.
TEST(Selection, AGatedMetricOfAnotherKindMakesTheSidesDiffer) {
  ListedSuite before = fusion;
  record::Metric calls{"calls", "1", record::Direction::lower_is_better, record::MetricKind::exact, false};
  ListedSuite after = fusion;
  after.listing.cases[0].metrics.push_back(calls);
  after.listing.cases[0].metrics.back().kind = record::MetricKind::timed;
  before.listing.cases[0].metrics.push_back(calls);
  EXPECT_FALSE(select({{{before}, {}}, {{after}, {}}}).cases[0].sides_differ);
  before.listing.cases[0].metrics.back().gated = true;
  EXPECT_EQ(*select({{{before}, {}}, {{after}, {}}}).cases[0].sides_differ, "its metric calls was exact and is timed");
}

TEST(Selection, DifferentClaimsAreToldAndTheNewerAreKept) {
  ListedSuite after = fusion;
  after.listing.groups[0].reference = "eager";
  const Selection selection = select({{{fusion}, {}}, {{after}, {}}});
  EXPECT_EQ(selection.warnings.size(), 1U);
  EXPECT_EQ(selection.groups[0].reference, "eager");
}

TEST(Selection, ShardsDivideGroupsWhateverIsSkipped) {
  ListedSuite with_skips = fusion;
  for (auto& each : with_skips.listing.cases) each.skipped = "no CUDA device";
  for (const auto& listing : {Listing{{fusion, loader}, {}}, Listing{{with_skips, loader}, {}}}) {
    Names seen;
    for (std::int64_t shard = 1; shard <= 4; ++shard) {  // more shards than groups: the last one is empty
      record::Plan plan;
      plan.shard = shard;
      plan.shards = 4;
      for (const auto& group : select({listing}, plan).groups) seen.push_back(group.name);
    }
    // The longest group first, each to the shard that has the least: 10 s, 7 s, 3 s, nothing.
    EXPECT_EQ(seen, (Names{"loader/sweep", "fusion/conv", "fusion/linear"}));
  }
}

TEST(Selection, AShardTakesWhatThePlanSays) {
  record::Plan plan;
  plan.shard = 2;
  plan.shards = 2;
  plan.division = {{"fusion/conv", "loader/sweep"}, {"fusion/gone", "fusion/linear"}};
  const Selection selection = select({{{fusion, loader}, {}}}, plan);
  ASSERT_EQ(selection.groups.size(), 1U);
  EXPECT_EQ(selection.groups.front().name, "fusion/linear");
  EXPECT_EQ(selection.division, plan.division);
  EXPECT_EQ(selection.warnings,
            (Names{"The group fusion/gone is in the plan of this shard, but in none of the suites"}));
}

TEST(Selection, RefusesGroupsThatNoShardWouldMeasure) {
  record::Plan plan;
  plan.shards = 2;
  plan.division = {{"fusion/conv"}, {"loader/sweep"}};
  const auto selection = select_cases({{{fusion, loader}, {}}}, {"run"}, plan, {});
  ASSERT_FALSE(selection);
  EXPECT_NE(selection.error().message.find("fusion/linear is missing in the plan"), std::string::npos);
}

// A record with more could not be read back.
TEST(Selection, MoreGroupsThanARunMayHaveAreRefused) {
  ListedSuite suite = make_suite({"many/first/a"});
  for (std::int64_t i = 0; i < base::max_groups; ++i) {
    const std::string group = "many/g" + std::to_string(i);
    suite.listing.groups.push_back({group, "many", std::nullopt, {}});
    suite.listing.cases.push_back(make_case(group + "/a"));
  }
  const auto refused = select_cases({{{suite}, {}}}, {"run"}, {}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "too many groups: 10001 are selected, and a run has at most 10000; select fewer of them with --filter");
  record::Plan fewer;
  fewer.filter = "g1";
  EXPECT_TRUE(select_cases({{{suite}, {}}}, {"run"}, fewer, {}));
}

}  // namespace
}  // namespace torchgate::launch
