// SPDX-License-Identifier: Apache-2.0
// What the modifiers of a group declare: metrics, gates, profiles, evidence and the forms of a claim.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "harness/bench/run/group_cases.hpp"
#include "tests/harness/bench/described.hpp"

namespace torchgate::bench {
namespace {

using testing::described;
using testing::Description;
using testing::mistake_of;

Timed work_of_one(const Args&) {
  return [] { return 1; };
}

const record::Metric* metric_of(const CaseInstance& instance, const std::string& name) {
  const auto& metrics = instance.definition.metrics;
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

TEST(Group, DeclaresItsMetricsInAWord) {
  const GroupCases group = described([&](Group& g) {
    g.measures(ns("wait"))
        .measures(count("steps"))
        .measures(bytes("parameter_bytes"))
        .measures(ratio("hit_rate").higher().exact())
        .phases({"forward", "backward"})
        .sweep("v", work_of_one)
        .measures(ns("latency").primary());
  });
  const auto instance = group.instances().front();
  using record::Direction;
  using record::MetricKind;
  const auto expect = [&](const record::Metric& metric) {
    ASSERT_NE(metric_of(instance, metric.name), nullptr) << metric.name;
    EXPECT_EQ(*metric_of(instance, metric.name), metric) << metric.name;
  };
  expect({"wait", "ns"});
  expect({"steps", "1", Direction::lower_is_better, MetricKind::exact});
  expect({"parameter_bytes", "bytes", Direction::lower_is_better, MetricKind::exact});
  expect({"hit_rate", "1", Direction::higher_is_better, MetricKind::exact});
  expect({"forward", "ns"});
  expect({"backward", "ns"});
  expect({"latency", "ns", Direction::lower_is_better, MetricKind::timed, true});
  EXPECT_FALSE(metric_of(instance, "time")->primary);
}

TEST(Group, GatesExactMetrics) {
  const GroupCases group = described([&](Group& g) {
    g.gates("peak_bytes");
    g.reference("ref", work_of_one);
    g.variant("v", work_of_one).gates("output_error");
  });
  const auto instances = group.instances();
  EXPECT_TRUE(metric_of(instances[0], "peak_bytes")->gated);
  EXPECT_FALSE(metric_of(instances[0], "allocations")->gated);
  EXPECT_TRUE(metric_of(instances[1], "output_error")->gated);
  const std::string timed = mistake_of([](Group& g) { g.gates("time").sweep("v", work_of_one); });
  EXPECT_NE(timed.find("gates(\"time\")"), std::string::npos);
  EXPECT_NE(mistake_of([](Group& g) { g.gates("peek_bytes").sweep("v", work_of_one); }), "");
}

TEST(Group, OnlyAComparedVariantHasAnOutputError) {
  const auto check = [](const Output&, const Output&) -> std::optional<std::string> { return std::nullopt; };
  const GroupCases group = described([&](Group& g) {
    g.reference("ref", work_of_one);
    g.variant("compared", work_of_one);
    g.variant("checked", work_of_one).checks(check);
  });
  const auto instances = group.instances();
  EXPECT_EQ(metric_of(instances[0], "output_error"), nullptr);
  EXPECT_NE(metric_of(instances[1], "output_error"), nullptr);
  EXPECT_EQ(metric_of(instances[2], "output_error"), nullptr);
  const GroupCases without = described([&](Group& g) {
    g.without({"output_error"});
    g.reference("ref", work_of_one);
    g.variant("v", work_of_one);
  });
  EXPECT_EQ(metric_of(without.instances()[1], "output_error"), nullptr);
}

std::vector<std::string> in_profile(const GroupCases& group, const std::string& profile) {
  std::vector<std::string> all;
  for (const auto& instance : group.instances()) {
    if (group.is_in(profile, instance)) all.push_back(instance.definition.name);
  }
  return all;
}

TEST(Group, SaysWhichCasesAProfileMeasures) {
  const GroupCases group = described([](Group& g) {
    const Axis batch = g.axis("batch", {1, 8, 64});
    g.quick(batch(1, 8)).only_full(batch(64));
    g.reference("ref", work_of_one);
    g.variant("v", work_of_one).quick(batch(8));
  });
  using Names = std::vector<std::string>;
  EXPECT_EQ(in_profile(group, "default"),
            (Names{"s/g/ref/batch:1", "s/g/v/batch:1", "s/g/ref/batch:8", "s/g/v/batch:8"}));
  EXPECT_EQ(in_profile(group, "quick"), (Names{"s/g/ref/batch:1", "s/g/ref/batch:8", "s/g/v/batch:8"}));
  EXPECT_EQ(in_profile(group, "full").size(), 6U);
  const GroupCases two = described([](Group& g) {
    g.reference("ref", work_of_one);
    g.variant("v", work_of_one).quick(none);
  });
  EXPECT_EQ(in_profile(two, "quick"), (Names{"s/g/ref"}));
  EXPECT_EQ(in_profile(two, "default").size(), 2U);
  EXPECT_EQ(in_profile(two, "full").size(), 2U);
}

TEST(Group, RefusesProfilesThatSelectWhatIsNotThere) {
  const auto has = [](const std::string& problem, const std::string& said) {
    EXPECT_NE(problem.find(said), std::string::npos) << said << "; found: " << problem;
  };
  has(mistake_of([](Group& g) { g.quick(cpu).sweep("v", work_of_one); }), "quick() names an unknown axis");
  has(mistake_of([](Group& g) { g.quick({}).sweep("v", work_of_one); }), "quick() selects no axis value");
  has(mistake_of([](Group& g) { g.only_full(cpu).sweep("v", work_of_one); }), "only_full() names an unknown axis");
  has(mistake_of([](Group& g) { g.reference("ref", work_of_one).only_full(); }), "the whole reference");
  has(mistake_of([](Group& g) { g.reference("ref", work_of_one).quick(none); }), "not possible for the reference");
  has(mistake_of([](Group& g) { g.samples(4).sweep("v", work_of_one); }), "at least 5 are needed");
}

TEST(Group, AVariantMayExistForSeveralAxisValues) {
  const GroupCases group = described([](Group& g) {
    const Axis op = g.axis("op", {"bmm", "addmm", "shared"});
    g.reference("ref", work_of_one);
    g.variant("v", work_of_one).only(op("bmm", "shared"));
  });
  EXPECT_EQ(in_profile(group, "default").size(), 5U);
}

TEST(Group, EvidenceMayBeOfSomeCases) {
  const auto of_batches = [](const Expectation& expectation, int batch) {
    return mistake_of([&](Group& g) {
      const Axis a = g.axis("batch", {1, 8});
      g.reference("ref", work_of_one);
      g.variant("v", work_of_one).proves(expectation, a(batch));
    });
  };
  EXPECT_EQ(of_batches(metric("allocations") == 0, 8), "");
  EXPECT_NE(of_batches(calls("aten::mm") == 1, 9).find("proves()"), std::string::npos);
  EXPECT_NE(of_batches(metric("time") == 0, 8).find("not an exact metric"), std::string::npos);
  EXPECT_NE(of_batches(metric("alocations") == 0, 8).find("not an exact metric"), std::string::npos);
}

TEST(Group, AClaimMayNameAnotherVariantAnotherMetricOrABound) {
  const auto claiming = [](const Promise& promise) -> Description {
    return [=](Group& g) {
      g.measures(ns("wait")).reference("ref", work_of_one);
      g.variant("a", work_of_one);
      g.variant("b", work_of_one).claims(promise);
    };
  };
  const auto only_claim = [&](const Promise& promise) {
    const GroupCases group = described(claiming(promise));
    const auto claims = group.definition(group.instances()).claims;
    EXPECT_EQ(claims.size(), 1U);
    return claims.empty() ? record::Claim{} : claims.front();
  };
  EXPECT_EQ(only_claim(time() <= 0.8 * variant_named("a")).reference_case, "s/g/a");
  EXPECT_EQ(only_claim(p99() <= 2.0 * own(time())).reference_case, "s/g/b");
  EXPECT_EQ(only_claim(metric("wait") <= 0.5 * own(time())).reference_metric, "time");
  EXPECT_EQ(only_claim(metric("peak_bytes") <= absolute(100)).limit, 100);
  const auto refused = [&](const Promise& promise) { return mistake_of(claiming(promise)); };
  EXPECT_NE(refused(time() <= 0.8 * variant_named("c")).find("unknown variant"), std::string::npos);
  EXPECT_NE(refused(time() <= 0.8 * variant_named("b")).find("with itself"), std::string::npos);
  EXPECT_NE(refused(time() <= 0.8 * own(time())).find("with itself"), std::string::npos);
  EXPECT_NE(refused(time() <= 0.8 * own(metric("peak_bytes"))).find("one unit"), std::string::npos);
  EXPECT_NE(refused(metric("allocations") <= absolute(100)).find("in bytes"), std::string::npos);
  EXPECT_NE(refused(p95("peak_bytes") <= 0.5 * reference()).find("no percentiles"), std::string::npos);
  EXPECT_EQ(mistake_of([](Group& g) { g.sweep("v", work_of_one).claims(metric("peak_bytes") <= absolute(100)); }), "")
      << "a sweep may have an absolute bound";
}

TEST(Group, CountsTheBytesOfACall) {
  const GroupCases group = described([](Group& g) {
    g.axis("n", {8});
    g.bytes_per_call([](const Args& args) { return 4.0 * double(args.number("n")); }).sweep("v", work_of_one);
  });
  EXPECT_EQ(group.instances().front().definition.bytes_per_call, 32);
  const std::string problem =
      mistake_of([](Group& g) { g.bytes_per_call([](const Args&) { return 0.0; }).sweep("v", work_of_one); });
  EXPECT_NE(problem.find("bytes_per_call()"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::bench
