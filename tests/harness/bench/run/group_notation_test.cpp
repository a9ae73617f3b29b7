// SPDX-License-Identifier: Apache-2.0
// What the modifiers of a group declare: metrics, gates, profiles, evidence and the forms of a claim.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "harness/bench/group.hpp"

namespace torchgate::bench {
namespace {

Timed work_of_one(const Args&) {
  return [] { return 1; };
}

std::string problem_of(const Group& group) {
  try {
    (void)group.definition(group.instances());
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

Group two_axes() {
  return Group("s/g")
      .axis("batch", {1, 8})
      .axis("layout", {"nchw", "nhwc"})
      .reference("ref", work_of_one)
      .variant("v", work_of_one);
}

const record::Metric* metric_of(const Group::Instance& instance, const std::string& name) {
  const auto& metrics = instance.definition.metrics;
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

TEST(Group, DeclaresItsMetricsInAWord) {
  const Group group = Group("s/g")
                          .measures(ns("wait"))
                          .measures(count("steps"))
                          .measures(bytes("parameter_bytes"))
                          .measures(ratio("hit_rate").higher().exact())
                          .phases({"forward", "backward"})
                          .sweep("v", work_of_one)
                          .measures(ns("latency").primary());
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
  const Group group =
      Group("s/g").gates("peak_bytes").reference("ref", work_of_one).variant("v", work_of_one).gates("output_error");
  const auto instances = group.instances();
  EXPECT_TRUE(metric_of(instances[0], "peak_bytes")->gated);
  EXPECT_FALSE(metric_of(instances[0], "allocations")->gated);
  EXPECT_TRUE(metric_of(instances[1], "output_error")->gated);
  EXPECT_NE(problem_of(Group("s/g").gates("time").sweep("v", work_of_one)).find("gates(\"time\")"), std::string::npos);
  EXPECT_NE(problem_of(Group("s/g").gates("peek_bytes").sweep("v", work_of_one)), "");
}

TEST(Group, OnlyAComparedVariantHasAnOutputError) {
  const auto check = [](const Output&, const Output&) -> std::optional<std::string> { return std::nullopt; };
  const Group group = Group("s/g")
                          .reference("ref", work_of_one)
                          .variant("compared", work_of_one)
                          .variant("checked", work_of_one)
                          .checks(check);
  const auto instances = group.instances();
  EXPECT_EQ(metric_of(instances[0], "output_error"), nullptr);
  EXPECT_NE(metric_of(instances[1], "output_error"), nullptr);
  EXPECT_EQ(metric_of(instances[2], "output_error"), nullptr);
  const Group without = Group("s/g").without("output_error").reference("ref", work_of_one).variant("v", work_of_one);
  EXPECT_EQ(metric_of(without.instances()[1], "output_error"), nullptr);
}

std::vector<std::string> in_profile(const Group& group, const std::string& profile) {
  std::vector<std::string> all;
  for (const auto& instance : group.instances()) {
    if (group.is_in(profile, instance)) all.push_back(instance.definition.name);
  }
  return all;
}

TEST(Group, SaysWhichCasesAProfileMeasures) {
  const Group group = Group("s/g")
                          .axis("batch", {1, 8, 64})
                          .quick({{"batch", 1}})
                          .quick({{"batch", 8}})
                          .only_in("full", {{"batch", 64}})
                          .reference("ref", work_of_one)
                          .variant("v", work_of_one)
                          .quick({{"batch", 8}});
  using Names = std::vector<std::string>;
  EXPECT_EQ(in_profile(group, "default"),
            (Names{"s/g/ref/batch:1", "s/g/v/batch:1", "s/g/ref/batch:8", "s/g/v/batch:8"}));
  EXPECT_EQ(in_profile(group, "quick"), (Names{"s/g/ref/batch:1", "s/g/ref/batch:8", "s/g/v/batch:8"}));
  EXPECT_EQ(in_profile(group, "full").size(), 6U);
  const Group two = Group("s/g").reference("ref", work_of_one).variant("v", work_of_one).not_in("quick");
  EXPECT_EQ(in_profile(two, "quick"), (Names{"s/g/ref"}));
  EXPECT_EQ(in_profile(two, "default").size(), 2U);
  EXPECT_EQ(in_profile(two, "full").size(), 2U);
  EXPECT_NE(problem_of(Group("s/g").not_in("full").sweep("v", work_of_one)).find("unknown profile"), std::string::npos);
  EXPECT_NE(problem_of(Group("s/g").axis("b", {1}).quick({{"c", 1}}).sweep("v", work_of_one)).find("quick()"),
            std::string::npos);
  EXPECT_NE(problem_of(Group("s/g").only_in("nightly").sweep("v", work_of_one)).find("unknown profile"),
            std::string::npos);
  EXPECT_NE(problem_of(Group("s/g").reference("ref", work_of_one).only_in("full").variant("v", work_of_one)), "");
  EXPECT_NE(problem_of(Group("s/g").samples(4).sweep("v", work_of_one)), "");
}

TEST(Group, AVariantMayExistForSeveralAxisValues) {
  const Group group = Group("s/g")
                          .axis("op", {"bmm", "addmm", "shared"})
                          .reference("ref", work_of_one)
                          .variant("v", work_of_one)
                          .only({{"op", "bmm"}})
                          .only({{"op", "shared"}});
  EXPECT_EQ(in_profile(group, "default").size(), 5U);
}

TEST(Group, EvidenceMayBeOfSomeCases) {
  EXPECT_EQ(problem_of(two_axes().proves(exact("allocations") == 0, {{"batch", 8}})), "");
  EXPECT_NE(problem_of(two_axes().proves(calls("aten::mm") == 1, {{"batch", 9}})).find("proves()"), std::string::npos);
  EXPECT_NE(problem_of(two_axes().proves(exact("time") == 0)).find("not an exact metric"), std::string::npos);
  EXPECT_NE(problem_of(two_axes().proves(exact("alocations") == 0)).find("not an exact metric"), std::string::npos);
}

record::Claim only_claim(const Group& group) {
  const auto claims = group.definition(group.instances()).claims;
  EXPECT_EQ(claims.size(), 1U);
  return claims.empty() ? record::Claim{} : claims.front();
}

TEST(Group, AClaimMayNameAnotherVariantAnotherMetricOrABound) {
  const auto three = [] {
    return Group("s/g")
        .measures(ns("wait"))
        .reference("ref", work_of_one)
        .variant("a", work_of_one)
        .variant("b", work_of_one);
  };
  EXPECT_EQ(only_claim(three().claims(time() <= 0.8 * variant_named("a"))).reference_case, "s/g/a");
  EXPECT_EQ(only_claim(three().claims(p99() <= 2.0 * own(time()))).reference_case, "s/g/b");
  EXPECT_EQ(only_claim(three().claims(measured("wait") <= 0.5 * own(time()))).reference_metric, "time");
  EXPECT_EQ(only_claim(three().claims(exact("peak_bytes") <= bytes(100))).limit, 100);
  const auto refused = [&](const Promise& promise) { return problem_of(three().claims(promise)); };
  EXPECT_NE(refused(time() <= 0.8 * variant_named("c")).find("unknown variant"), std::string::npos);
  EXPECT_NE(refused(time() <= 0.8 * variant_named("b")).find("with itself"), std::string::npos);
  EXPECT_NE(refused(time() <= 0.8 * own(time())).find("with itself"), std::string::npos);
  EXPECT_NE(refused(time() <= 0.8 * own(exact("peak_bytes"))).find("one unit"), std::string::npos);
  EXPECT_NE(refused(exact("allocations") <= bytes(100)).find("in bytes"), std::string::npos);
  EXPECT_NE(refused(p95("peak_bytes") <= 0.5 * reference()).find("no percentiles"), std::string::npos);
  EXPECT_EQ(problem_of(Group("s/g").sweep("v", work_of_one).claims(exact("peak_bytes") <= bytes(100))), "")
      << "a sweep may have an absolute bound";
}

TEST(Group, CountsTheBytesOfACall) {
  const Group group = Group("s/g")
                          .axis("n", {8})
                          .bytes([](const Args& args) { return 4.0 * double(args.number("n")); })
                          .sweep("v", work_of_one);
  EXPECT_EQ(group.instances().front().definition.bytes_per_call, 32);
  EXPECT_NE(problem_of(Group("s/g").bytes([](const Args&) { return 0.0; }).sweep("v", work_of_one)).find("bytes()"),
            std::string::npos);
}

}  // namespace
}  // namespace torchgate::bench
