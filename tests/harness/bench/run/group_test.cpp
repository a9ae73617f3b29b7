// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace torchgate::bench {
namespace {

int one() {
  return 1;
}
Timed work(const Args&) {
  return one;
}

std::vector<std::string> names(const std::vector<Group::Instance>& instances) {
  std::vector<std::string> all;
  for (const auto& instance : instances) all.push_back(instance.definition.name);
  return all;
}

std::string mistake_of(const Group& group) {
  try {
    (void)group.definition(group.instances());
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

record::Metric metric(const std::string& name, record::MetricKind kind = record::MetricKind::timed,
                      bool primary = false) {
  return {name, "ns", record::Direction::lower_is_better, kind, primary};
}

Group pair() {
  return Group("s/g").axis("batch", {1, 8}).axis("layout", {"nchw", "nhwc"}).reference("ref", work).variant("v", work);
}

TEST(Group, OfSeveralRanksSaysSoAndHasTheirMetrics) {
  const auto metrics_of = [](const Group& group) {
    std::set<std::string> all;
    const auto instances = group.instances();
    for (const auto& each : instances.front().definition.metrics) all.insert(each.name);
    return all;
  };
  const Group alone = Group("s/g").sweep("v", work);
  const Group together = Group("s/g").ranks(3).sweep("v", work);
  EXPECT_EQ(alone.definition(alone.instances()).ranks, 1);
  EXPECT_EQ(together.definition(together.instances()).ranks, 3);
  auto expected = metrics_of(alone);
  EXPECT_EQ(expected.count("rank_spread"), 0U);
  expected.insert({"rank_spread", "collective_calls", "collective_bytes"});
  EXPECT_EQ(metrics_of(together), expected);
  EXPECT_EQ(mistake_of(Group("s/g").ranks(2).without("collective_calls").sweep("v", work)), "");
}

TEST(Group, CasesAreTheProductOfAxesAndVariants) {
  const Group group = pair();
  const auto instances = group.instances();
  const std::vector<std::string> expected{"s/g/ref/batch:1/layout:nchw", "s/g/v/batch:1/layout:nchw",
                                          "s/g/ref/batch:1/layout:nhwc", "s/g/v/batch:1/layout:nhwc",
                                          "s/g/ref/batch:8/layout:nchw", "s/g/v/batch:8/layout:nchw",
                                          "s/g/ref/batch:8/layout:nhwc", "s/g/v/batch:8/layout:nhwc"};
  EXPECT_EQ(names(instances), expected);
  EXPECT_EQ(instances[0].reference_case, "");
  EXPECT_EQ(instances[3].reference_case, "s/g/ref/batch:1/layout:nhwc");
  const record::Case& definition = instances[3].definition;
  EXPECT_EQ(definition.suite, "s");
  EXPECT_EQ(definition.group, "s/g");
  EXPECT_EQ(definition.variant, "v");
  const std::vector<record::Parameter> parameters{{"batch", "1"}, {"layout", "nhwc"}};
  EXPECT_EQ(definition.parameters, parameters);
  EXPECT_EQ(definition.device, "cpu");
  EXPECT_EQ(definition.protocol, "cpu-wall/1");
  EXPECT_FALSE(definition.items_per_call.has_value());
}

TEST(Group, ArgsAreWhatTheCaseIsCalled) {
  const Group group = pair();
  const auto instances = group.instances();
  const Args& args = instances.back().args;
  EXPECT_EQ(args.number("batch"), 8);
  EXPECT_EQ(args.text("layout"), "nhwc");
  EXPECT_EQ(args.text("batch"), "8");
  EXPECT_EQ(args.device(), "cpu");
  EXPECT_THROW((void)args.number("bacth"), std::logic_error);
  EXPECT_THROW((void)args.number("layout"), std::logic_error);
}

TEST(Group, InputsOfAllVariantsHaveOneSeedThatNeverChanges) {
  std::set<std::uint64_t> seeds;
  const Group group = pair();
  for (const auto& instance : group.instances()) seeds.insert(instance.definition.input_seed);
  // 31 low bits of 64-bit FNV-1a of "s/g": python3 -c "h=14695981039346656037
  // for c in b's/g': h=((h^c)*1099511628211)%2**64
  // print(h&0x7fffffff)"
  EXPECT_EQ(seeds, std::set<std::uint64_t>{1547363152});
}

TEST(Group, DevicesAndItems) {
  const Group group = Group("s/g").axis("batch", {1, 8}).devices().items("batch").sweep("v", work);
  const auto instances = group.instances();
  ASSERT_EQ(instances.size(), 4U);
  EXPECT_EQ(instances[3].definition.name, "s/g/v/batch:8/device:cuda");
  EXPECT_EQ(instances[3].definition.device, "cuda");
  EXPECT_EQ(instances[3].definition.protocol, "cuda-events/1");
  EXPECT_EQ(instances[3].definition.items_per_call, 8);
}

bool has_metric(const record::Case& definition, const std::string& name) {
  return std::any_of(definition.metrics.begin(), definition.metrics.end(),
                     [&](const auto& metric) { return metric.name == name; });
}

TEST(Group, CudaCasesHaveDeviceTimesAndGraphsWhereTheirAuthorSaysSo) {
  const Group group = Group("s/g").devices().reference("ref", work).variant("v", work).graphs();
  const auto instances = group.instances();
  for (const auto& instance : instances) {
    const bool on_cuda = instance.definition.device == "cuda";
    EXPECT_EQ(has_metric(instance.definition, "gpu_time_cold"), on_cuda) << instance.definition.name;
    EXPECT_EQ(has_metric(instance.definition, "gpu_time_graph"), on_cuda && instance.variant->name == "v");
  }
  const Group whole = Group("s/g").devices().graphs().sweep("v", work).sweep("w", work);
  for (const auto& variant : whole.variants()) EXPECT_TRUE(whole.has_graphs(variant));
  EXPECT_TRUE(has_metric(whole.instances()[3].definition, "graph_nodes"));
}

TEST(Group, AClaimAboutDeviceTimeIsMadeOfCudaCasesOnly) {
  Group group = Group("s/g").devices().reference("ref", work).variant("v", work);
  group.claims(measured("gpu_time_hot") <= 0.5 * reference(), {{"device", "cuda"}});
  const record::Group definition = group.definition(group.instances());
  ASSERT_EQ(definition.claims.size(), 1U);
  EXPECT_EQ(definition.claims.front().case_name, "s/g/v/device:cuda");
  group.claims(measured("gpu_time_hot") <= 0.5 * reference());
  EXPECT_THROW((void)group.definition(group.instances()), std::logic_error);
  Group graphs = Group("s/g").devices().reference("ref", work).variant("v", work).graphs();
  graphs.claims(measured("gpu_time_graph") <= 0.5 * reference(), {{"device", "cuda"}});
  EXPECT_THROW((void)graphs.definition(graphs.instances()), std::logic_error) << "the reference is not captured";
}

TEST(Group, NamesOfDeviceMetricsAreTaken) {
  const Group group =
      Group("s/g")
          .measures({"gpu_time_hot", "ns", record::Direction::lower_is_better, record::MetricKind::timed, false})
          .sweep("v", work);
  EXPECT_THROW((void)group.instances(), std::logic_error);
}

TEST(Group, OnlyLimitsAVariantToAxisValues) {
  const Group group = Group("s/g").axis("batch", {1, 8}).reference("ref", work).variant("v", work).only({{"batch", 8}});
  EXPECT_EQ(names(group.instances()),
            (std::vector<std::string>{"s/g/ref/batch:1", "s/g/ref/batch:8", "s/g/v/batch:8"}));
}

TEST(Group, WithoutLeavesOutAnExactMetric) {
  const auto metrics = Group("s/g").without("peak_bytes").sweep("v", work).instances().front().definition.metrics;
  const auto has = [&](const std::string& name) {
    return std::any_of(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == name; });
  };
  EXPECT_FALSE(has("peak_bytes"));
  EXPECT_TRUE(has("allocated_bytes"));
  EXPECT_TRUE(has("time"));
}

TEST(Group, ClaimsAreMadeOfEveryCaseOrOfThoseSelected) {
  Group group = pair();
  group.claims(time() <= 0.5 * reference()).claims(time() <= 0.4 * reference(), {{"batch", 8}, {"layout", "nhwc"}});
  const record::Group definition = group.definition(group.instances());
  EXPECT_EQ(definition.name, "s/g");
  EXPECT_EQ(definition.reference, "ref");
  ASSERT_EQ(definition.claims.size(), 5U);
  EXPECT_EQ(definition.claims[1].case_name, "s/g/v/batch:1/layout:nhwc");
  EXPECT_EQ(definition.claims[1].reference_case, "s/g/ref/batch:1/layout:nhwc");
  EXPECT_EQ(definition.claims[4].case_name, "s/g/v/batch:8/layout:nhwc");
  EXPECT_DOUBLE_EQ(definition.claims[4].ratio, 0.4);
}

TEST(Group, ASweepIsComparedWithOneOfItsOwnCases) {
  const Group group = Group("s/g")
                          .axis("batch", {1, 8, 32})
                          .items("batch")
                          .sweep("v", work)
                          .claims(items_per_second() >= 2 * case_with("batch", 1));
  const record::Group definition = group.definition(group.instances());
  EXPECT_FALSE(definition.reference.has_value());
  ASSERT_EQ(definition.claims.size(), 2U) << "the starting point promises nothing of itself";
  EXPECT_EQ(definition.claims[1].case_name, "s/g/v/batch:32");
  EXPECT_EQ(definition.claims[1].reference_case, "s/g/v/batch:1");
}

TEST(Group, OwnMetricsBelongToTheGroupOrToTheVariantAboveThem) {
  const Group group = Group("s/g")
                          .measures(metric("wait"))
                          .reference("ref", work)
                          .variant("v", work)
                          .measures(metric("p99", record::MetricKind::timed, true));
  const auto instances = group.instances();
  const auto has = [](const record::Case& c, const std::string& name) -> std::optional<record::Metric> {
    for (const auto& m : c.metrics) {
      if (m.name == name) return m;
    }
    return std::nullopt;
  };
  EXPECT_TRUE(has(instances[0].definition, "wait"));
  EXPECT_FALSE(has(instances[0].definition, "p99"));
  EXPECT_TRUE(has(instances[0].definition, "time")->primary);
  EXPECT_TRUE(has(instances[1].definition, "p99")->primary);
  EXPECT_FALSE(has(instances[1].definition, "time")->primary) << "one metric is gated";
}

std::optional<std::string> same(const Output& reference, const Output& output) {
  return reference.values == output.values ? std::nullopt : std::optional<std::string>("differs");
}
std::optional<std::string> positive(const Output& output) {
  return output.values.front() > 0 ? std::nullopt : std::optional<std::string>("is not positive");
}

struct Mistake {
  std::string title;
  Group group;
  std::string said;
};

TEST(Group, MistakesAreReportedByName) {
  const auto g = [] { return Group("s/g"); };
  const std::vector<Mistake> mistakes{
      {"one rank", g().ranks(1).sweep("v", work), "ranks(): invalid number; use at least 2"},
      {"ranks on a device", g().ranks(2).devices().sweep("v", work), "measured on the CPU only"},
      {"their metric", g().ranks(2).measures(metric("rank_spread")).sweep("v", work), "rank_spread"},
      {"no slash", Group("g").sweep("v", work), "g: invalid group name; use \"suite/group\""},
      {"two slashes", Group("s/g/h").sweep("v", work), "suite/group"},
      {"group name", Group("s/g h").sweep("v", work), "letters, digits"},
      {"no variant", g(), "s/g: no variants"},
      {"axis twice", g().axis("a", {1}).axis("a", {2}).sweep("v", work), "duplicate axis \"a\""},
      {"axis name", g().axis("a:b", {1}).sweep("v", work), "axis \"a:b\""},
      {"no values", g().axis("a", std::initializer_list<int>{}).sweep("v", work), "axis \"a\" has no values"},
      {"value twice", g().axis("a", {1, 2, 1}).sweep("v", work), "axis \"a\": duplicate value 1"},
      {"value name", g().axis("a", {"x/y"}).sweep("v", work), "value of axis a \"x/y\""},
      {"variant twice", g().sweep("v", work).sweep("v", work), "duplicate variant \"v\""},
      {"variant name", g().sweep("a b", work), "variant \"a b\""},
      {"variant without reference", g().variant("v", work), "missing reference before it"},
      {"reference late", g().sweep("v", work).reference("r", work), "it must be the first variant"},
      {"two references", g().reference("r", work).reference("q", work), "it must be the first variant"},
      {"sweep beside reference", g().reference("r", work).sweep("v", work), "not possible in a group with a reference"},
      {"no factory", g().sweep("v", nullptr), "missing factory"},
      {"tolerance", g().reference("r", work).variant("v", work, within(-1)), "invalid tolerance"},
      {"modifier too early", g().claims(time() <= 0.5 * reference()), "claims() must come before the first variant"},
      {"check too early", g().checks(same), "checks() must come before"},
      {"check of the reference", g().reference("r", work).checks(same), "r: checks() is not possible on the reference"},
      {"output check of the reference", g().reference("r", work).checks(positive).variant("v", work),
       "r: checks() is not possible on the reference"},
      {"comparison in a sweep", g().sweep("v", work).checks(same), "v: checks() takes two outputs, but a sweep has no"},
      {"output check of a variant", pair().checks(positive), "v: checks() takes one output, but a variant has a"},
      {"check of nothing", pair().checks(CheckFunction()), "v: checks() has no function"},
      {"check twice", g().sweep("v", work).checks(positive).checks(positive), "v: checks() is a duplicate"},
      {"proof too early", g().proves(calls("x") == 0), "proves() must come before"},
      {"only too early", g().only({{"a", 1}}), "only() must come before"},
      {"only of the reference", g().axis("a", {1}).reference("r", work).only({{"a", 1}}), "only(): not possible"},
      {"only of no axis", g().sweep("v", work).only({{"a", 1}}), "names an unknown axis: a"},
      {"needs of no value", g().axis("a", {1}).needs("x", {{"a", 2}}).sweep("v", work), "unknown case: a:2"},
      {"without too late", g().sweep("v", work).without("peak_bytes"), "without() must come before"},
      {"without a timed one", g().without("time").sweep("v", work), "without(\"time\"): unknown exact metric"},
      {"claim of what is left out",
       g().without("peak_bytes")
           .reference("r", work)
           .variant("v", work)
           .claims(exact("peak_bytes") <= 0.5 * reference()),
       "an unknown metric"},
      {"claim of the reference", g().reference("r", work).claims(time() <= 0.5 * reference()), "only a variant can be"},
      {"reference in a sweep", g().sweep("v", work).claims(time() <= 0.5 * reference()), "use case_with() in a sweep"},
      {"small claim", pair().claims(time() <= 0.99 * reference()), "a time claim must be at least"},
      {"axis of at()", g().axis("a", {1, 2}).sweep("v", work).claims(time() <= 0.5 * case_with("b", 1)),
       "names an unknown axis: b"},
      {"value of at()", g().axis("a", {1, 2}).sweep("v", work).claims(time() <= 0.5 * case_with("a", 3)),
       "names an unknown case: a:3"},
      {"case of at()",
       g().axis("a", {1, 2})
           .reference("r", work)
           .variant("v", work)
           .only({{"a", 2}})
           .claims(time() <= 0.5 * case_with("a", 1)),
       "compares with an unknown case: s/g/v/a:1"},
      {"axis of where", pair().claims(time() <= 0.5 * reference(), {{"device", "cpu"}}), "unknown axis: device"},
      {"value of where", pair().claims(time() <= 0.5 * reference(), {{"batch", 7}}), "unknown case: batch:7"},
      {"nothing selected", g().axis("a", {1}).sweep("v", work).claims(time() <= 0.5 * case_with("a", 1)),
       "selects no cases"},
      {"claim of no metric", pair().claims(exact("peak_byte") <= 0.5 * reference()), "an unknown metric"},
      {"metric of one side", pair().measures(metric("own")).claims(measured("own") <= 0.5 * reference()),
       "the reference does not measure"},
      {"rate without items", pair().claims(items_per_second() >= 2 * case_with("batch", 1)), "needs items()"},
      {"items of no axis", g().items("size").sweep("v", work), "s/g/v: items(): unknown axis \"size\""},
      {"no items", g().items([](const Args&) { return 0.0; }).sweep("v", work), "items() must be above 0"},
      {"metric of ours", g().measures(metric("time")).sweep("v", work), "duplicate metric \"time\""},
      {"metric twice", g().measures(metric("x")).sweep("v", work).measures(metric("x")), "duplicate metric \"x\""},
      {"metric name", g().measures(metric("x y")).sweep("v", work), "metric \"x y\""},
      {"exact primary", g().measures(metric("x", record::MetricKind::exact, true)).sweep("v", work),
       "only a timed one"},
      {"two primaries",
       g().measures(metric("x", record::MetricKind::timed, true))
           .measures(metric("y", record::MetricKind::timed, true))
           .sweep("v", work),
       "more than one metric is primary"}};
  for (const Mistake& mistake : mistakes) {
    const std::string said = mistake_of(mistake.group);
    EXPECT_NE(said.find(mistake.said), std::string::npos) << mistake.title << ": " << said;
    EXPECT_NE(said.find(mistake.group.name()), std::string::npos) << mistake.title << ": " << said;
  }
  EXPECT_EQ(mistake_of(pair()), "");
}

TEST(CheckGroups, OneSuiteAndEveryGroupOnce) {
  const Group a = Group("s/a").sweep("v", work);
  const Group b = Group("s/b").sweep("v", work);
  const Group other = Group("t/a").sweep("v", work);
  EXPECT_NO_THROW(check_groups("s", {a, b}));
  EXPECT_THROW(check_groups("s", {}), std::logic_error);
  EXPECT_THROW(check_groups("s", {a, b, a}), std::logic_error);
  EXPECT_THROW(check_groups("s", {a, other}), std::logic_error);
}

}  // namespace
}  // namespace torchgate::bench
