// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/group_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tests/harness/bench/described.hpp"

namespace torchgate::bench {
namespace {

using testing::described;
using testing::Description;
using testing::mistake_of;

int one() {
  return 1;
}
Timed work(const Args&) {
  return one;
}

std::vector<std::string> names(const std::vector<CaseInstance>& instances) {
  std::vector<std::string> all;
  for (const auto& instance : instances) all.push_back(instance.definition.name);
  return all;
}

GroupCases pair() {
  return described([](Group& g) {
    g.axis("batch", {1, 8});
    g.axis("layout", {"nchw", "nhwc"});
    g.reference("ref", work);
    g.variant("v", work);
  });
}

TEST(Group, OfSeveralRanksSaysSoAndHasTheirMetrics) {
  const auto metrics_of = [](const GroupCases& group) {
    std::set<std::string> all;
    const auto instances = group.instances();
    for (const auto& each : instances.front().definition.metrics) all.insert(each.name);
    return all;
  };
  const GroupCases alone = described([&](Group& g) { g.sweep("v", work); });
  const GroupCases together = described([&](Group& g) { g.ranks(3).sweep("v", work); });
  EXPECT_EQ(alone.definition(alone.instances()).ranks, 1);
  EXPECT_EQ(together.definition(together.instances()).ranks, 3);
  auto expected = metrics_of(alone);
  EXPECT_EQ(expected.count("rank_spread"), 0U);
  expected.insert({"rank_spread", "collective_calls", "collective_bytes"});
  EXPECT_EQ(metrics_of(together), expected);
  EXPECT_EQ(mistake_of([](Group& g) { g.ranks(2).without({"collective_calls"}).sweep("v", work); }), "");
}

TEST(Group, CasesAreTheProductOfAxesAndVariants) {
  const GroupCases group = pair();
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
  const GroupCases group = pair();
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
  const GroupCases group = pair();
  for (const auto& instance : group.instances()) seeds.insert(instance.definition.input_seed);
  // 31 low bits of 64-bit FNV-1a of "s/g": python3 -c "h=14695981039346656037
  // for c in b's/g': h=((h^c)*1099511628211)%2**64
  // print(h&0x7fffffff)"
  EXPECT_EQ(seeds, std::set<std::uint64_t>{1547363152});
}

TEST(Group, ProcessSettingsOfGroupAndVariantArePartOfTheCase) {
  const GroupCases group = described([](Group& g) {
    g.environment("B", "1").threads(2);
    g.sweep("all", work);
    g.sweep("more", work).environment("A", "2").threads(4).cpus(1);
  });
  const auto instances = group.instances();
  EXPECT_EQ(*instances[0].definition.settings, "B=1, threads 2");
  EXPECT_EQ(*instances[1].definition.settings, "A=2, B=1, threads 4, cpus 1");
  EXPECT_EQ(*described([](Group& g) { g.training().sweep("v", work); }).instances()[0].definition.settings, "training");
  EXPECT_EQ(*described([](Group& g) { g.sweep("v", work); }).instances()[0].definition.settings, "none");
}

TEST(Group, DevicesAndItems) {
  const GroupCases group = described([&](Group& g) {
    const Axis batch = g.axis("batch", {1, 8});
    g.devices().items(batch);
    g.sweep("v", work);
  });
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
  const GroupCases group = described([&](Group& g) {
    g.devices();
    g.reference("ref", work);
    g.variant("v", work).graphs();
  });
  const auto instances = group.instances();
  for (const auto& instance : instances) {
    const bool on_cuda = instance.definition.device == "cuda";
    EXPECT_EQ(has_metric(instance.definition, "gpu_time_cold"), on_cuda) << instance.definition.name;
    EXPECT_EQ(has_metric(instance.definition, "gpu_time_graph"), on_cuda && instance.variant->name == "v");
  }
  const GroupCases whole = described([&](Group& g) {
    g.devices().graphs();
    g.sweep("v", work);
    g.sweep("w", work);
  });
  for (const auto& variant : whole.variants()) EXPECT_TRUE(whole.has_graphs(variant));
  EXPECT_TRUE(has_metric(whole.instances()[3].definition, "graph_nodes"));
}

TEST(Group, AClaimAboutDeviceTimeIsMadeOfCudaCasesOnly) {
  const auto claiming = [](const Promise& promise, const Where& cases, bool graphs) -> Description {
    return [=](Group& g) {
      g.devices().reference("ref", work);
      Variant v = g.variant("v", work).claims(promise, cases);
      if (graphs) v.graphs();
    };
  };
  const Promise hot = metric("gpu_time_hot") <= 0.5 * reference();
  const GroupCases group = described(claiming(hot, cuda, false));
  const record::Group definition = group.definition(group.instances());
  ASSERT_EQ(definition.claims.size(), 1U);
  EXPECT_EQ(definition.claims.front().case_name, "s/g/v/device:cuda");
  EXPECT_NE(mistake_of(claiming(hot, {}, false)), "");
  EXPECT_NE(mistake_of(claiming(metric("gpu_time_graph") <= 0.5 * reference(), cuda, true)), "")
      << "the reference is not captured";
}

TEST(Group, NamesOfDeviceMetricsAreTaken) {
  const GroupCases group = described([&](Group& g) { g.measures(ns("gpu_time_hot")).sweep("v", work); });
  EXPECT_THROW((void)group.instances(), std::logic_error);
}

TEST(Group, OnlyLimitsAVariantToAxisValues) {
  const GroupCases group = described([&](Group& g) {
    const Axis batch = g.axis("batch", {1, 8});
    g.reference("ref", work);
    g.variant("v", work).only(batch(8));
  });
  EXPECT_EQ(names(group.instances()),
            (std::vector<std::string>{"s/g/ref/batch:1", "s/g/ref/batch:8", "s/g/v/batch:8"}));
}

TEST(Group, WithoutLeavesOutAnExactMetric) {
  const auto metrics =
      described([&](Group& g) { g.without({"peak_bytes"}).sweep("v", work); }).instances().front().definition.metrics;
  const auto has = [&](const std::string& name) {
    return std::any_of(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == name; });
  };
  EXPECT_FALSE(has("peak_bytes"));
  EXPECT_TRUE(has("allocated_bytes"));
  EXPECT_TRUE(has("time"));
}

TEST(Group, ClaimsAreMadeOfEveryCaseOrOfThoseSelected) {
  const GroupCases group = described([](Group& g) {
    const Axis batch = g.axis("batch", {1, 8});
    const Axis layout = g.axis("layout", {"nchw", "nhwc"});
    g.reference("ref", work);
    g.variant("v", work)
        .claims(time() <= 0.5 * reference())
        .claims(time() <= 0.4 * reference(), where(batch(8), layout("nhwc")));
  });
  const record::Group definition = group.definition(group.instances());
  EXPECT_EQ(definition.name, "s/g");
  EXPECT_EQ(definition.reference, "ref");
  ASSERT_EQ(definition.claims.size(), 5U);
  EXPECT_EQ(definition.claims[1].case_name, "s/g/v/batch:1/layout:nhwc");
  EXPECT_EQ(definition.claims[1].reference_case, "s/g/ref/batch:1/layout:nhwc");
  EXPECT_EQ(definition.claims[4].case_name, "s/g/v/batch:8/layout:nhwc");
  EXPECT_DOUBLE_EQ(definition.claims[4].ratio, 0.4);
}

TEST(Group, AClaimIsNotMadeWhereItsRequirementIsNotMet) {
  const GroupCases group = described([](Group& g) {
    g.reference("ref", work);
    g.variant("v", work)
        .claims(time() <= 0.5 * reference(), {}, OnlyWith{"avx9"})
        .claims(time() <= 0.8 * reference(), {}, OnlyWith{"today", [] { return std::optional<std::string>(); }});
  });
  const auto backend = plain_backend();
  const auto claims = group.definition(group.instances(), backend.get()).claims;
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0].text, "time <= 0.5 x reference (only with avx9)");
  EXPECT_EQ(claims[0].not_claimed, "this CPU has no avx9");
  EXPECT_EQ(claims[1].not_claimed, std::nullopt);
  EXPECT_EQ(group.definition(group.instances()).claims[0].not_claimed, std::nullopt) << "not asked";
}

TEST(Group, ASweepIsComparedWithOneOfItsOwnCases) {
  const GroupCases group = described([&](Group& g) {
    const Axis batch = g.axis("batch", {1, 8, 32});
    g.items(batch);
    g.sweep("v", work).claims(items_per_second() >= 2 * case_with(batch(1)));
  });
  const record::Group definition = group.definition(group.instances());
  EXPECT_FALSE(definition.reference.has_value());
  ASSERT_EQ(definition.claims.size(), 2U) << "the starting point promises nothing of itself";
  EXPECT_EQ(definition.claims[1].case_name, "s/g/v/batch:32");
  EXPECT_EQ(definition.claims[1].reference_case, "s/g/v/batch:1");
}

TEST(Group, OwnMetricsBelongToTheGroupOrToAVariant) {
  const GroupCases group = described([&](Group& g) {
    g.measures(ns("wait"));
    g.reference("ref", work);
    g.variant("v", work).measures(ns("p99").primary());
  });
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

TEST(Group, ASelectionMayHaveSeveralValuesOfAnAxisOrNone) {
  const auto of = [](const std::function<Where(const Axis& a)>& select) {
    const GroupCases group = described([&](Group& g) {
      const Axis a = g.axis("a", {1, 2, 3});
      g.sweep("v", work).only(select(a));
    });
    return names(group.instances());
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(of([](const Axis& a) { return a(1, 3); }), (Names{"s/g/v/a:1", "s/g/v/a:3"}));
  EXPECT_EQ(of([](const Axis& a) { return where(a(1, 3), a(2, 3)); }), (Names{"s/g/v/a:3"}));
  EXPECT_THROW((void)of([](const Axis&) { return where(none); }), std::logic_error) << "a variant without a case";
}

}  // namespace
}  // namespace torchgate::bench
