// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/promise.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace torchgate::bench {
namespace {

using record::Relation;

Where at(const char* axis, std::int64_t value) {
  return {{{axis, {value}}}};
}

TEST(Promise, ATimeIsAtMostAShareOfTheReferences) {
  const record::Claim claim = concrete(time() <= 0.9 * reference(), "s/g/fast", "s/g/ref");
  EXPECT_EQ(claim.case_name, "s/g/fast");
  EXPECT_EQ(claim.reference_case, "s/g/ref");
  EXPECT_EQ(claim.metric, "time");
  EXPECT_EQ(claim.relation, Relation::at_most);
  EXPECT_DOUBLE_EQ(claim.ratio, 0.9);
  EXPECT_FALSE(claim.per_item);
  EXPECT_EQ(claim.text, "time <= 0.9 x reference");
}

TEST(Promise, ARateIsInvertedExactlyOnce) {
  // 2 x the items per second is half of the time per item.
  const record::Claim more = concrete(items_per_second() >= 2 * case_with(at("batch", 1)), "a", "b");
  EXPECT_EQ(more.metric, "time");
  EXPECT_EQ(more.relation, Relation::at_most);
  EXPECT_DOUBLE_EQ(more.ratio, 0.5);
  EXPECT_TRUE(more.per_item);
  EXPECT_EQ(more.text, "items/s >= 2 x at batch:1");
  const record::Claim less = concrete(items_per_second() <= 4 * case_with(at("workers", 1)), "a", "b");
  EXPECT_EQ(less.relation, Relation::at_least);
  EXPECT_DOUBLE_EQ(less.ratio, 0.25);
}

TEST(Promise, ACountIsTakenAsItIs) {
  const record::Claim claim = concrete(metric("peak_bytes") >= 0.5 * (0.5 * reference()), "a", "b");
  EXPECT_EQ(claim.metric, "peak_bytes");
  EXPECT_EQ(claim.relation, Relation::at_least);
  EXPECT_DOUBLE_EQ(claim.ratio, 0.25);
}

TEST(Promise, RefusesTimeClaimsOfLessThanFivePerCent) {
  EXPECT_NE((time() <= 0.99 * reference()).mistake.find("at least 1.05x"), std::string::npos);
  EXPECT_NE((time() <= 1.0 * reference()).mistake, "");
  EXPECT_NE((items_per_second() >= 1.04 * case_with(at("batch", 1))).mistake, "");
  EXPECT_EQ((items_per_second() >= 1.05 * case_with(at("batch", 1))).mistake, "");
  EXPECT_EQ((time() <= 1 / 1.05 * reference()).mistake, "");
  EXPECT_EQ((metric("allocations") <= 1.0 * reference()).mistake, "") << "for a count, equal is a promise";
}

TEST(Promise, AFactorAboveOneBoundsACost) {
  const Promise cost = time() <= 1.7 * reference();
  EXPECT_EQ(cost.mistake, "");
  EXPECT_DOUBLE_EQ(concrete(cost, "a", "b").ratio, 1.7);
  EXPECT_EQ((time() <= 1.01 * reference()).mistake, "");
  EXPECT_EQ((items_per_second() >= 0.5 * case_with(at("batch", 1))).mistake, "");
  for (const double in_between : {0.953, 0.99, 1.0}) EXPECT_NE((time() <= in_between * reference()).mistake, "");
}

TEST(Promise, NamesAnotherVariant) {
  const Promise promise = time() <= 0.8 * variant_named("no_grad");
  EXPECT_EQ(promise.text, "time <= 0.8 x no_grad");
  EXPECT_EQ(promise.bound.variant, "no_grad");
}

TEST(Promise, APercentileIsComparedWithTheReferences) {
  const record::Claim claim = concrete(p95("latency") <= 0.5 * reference(), "a", "b");
  EXPECT_EQ(claim.text, "P95 of latency <= 0.5 x reference");
  EXPECT_EQ(claim.metric, "latency");
  EXPECT_EQ(claim.quantile, record::Quantile::p95);
  EXPECT_EQ(claim.reference_quantile, record::Quantile::p95);
  EXPECT_EQ(claim.metric_of_reference(), "latency");
}

TEST(Promise, MayBeAboutAnotherValueOfTheSameCase) {
  const record::Claim tail = concrete(p99() <= 2.0 * own(time()), "a", "a");
  EXPECT_EQ(tail.text, "P99 of time <= 2 x own time");
  EXPECT_EQ(tail.quantile, record::Quantile::p99);
  EXPECT_EQ(tail.reference_quantile, record::Quantile::median);
  EXPECT_FALSE(tail.reference_metric);
  const record::Claim other = concrete(metric("wait") <= 0.9 * own(metric("work")), "a", "a");
  EXPECT_EQ(other.reference_metric, "work");
}

TEST(Promise, ANumberOfBytesIsAnAbsoluteBound) {
  const record::Claim claim = concrete(metric("peak_bytes") <= absolute(4'000'000), "a", "");
  EXPECT_EQ(claim.text, "peak_bytes <= 4000000 bytes");
  EXPECT_EQ(claim.limit, 4e6);
  EXPECT_EQ(claim.reference_case, "");
  EXPECT_DOUBLE_EQ(claim.ratio, 1);
  EXPECT_NE((metric("peak_bytes") <= absolute(0)).mistake, "") << "proves() is for 0";
}

TEST(Promise, AFactorIsAPositiveNumber) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, inf, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE((metric("allocations") <= bad * reference()).mistake, "") << bad;
    EXPECT_NE((items_per_second() >= bad * case_with(at("batch", 1))).mistake, "") << bad;
  }
}

}  // namespace
}  // namespace torchgate::bench
