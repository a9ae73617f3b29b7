// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/observation.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/bench/promise.hpp"

namespace torchgate::bench {
namespace {

Observation observed() {
  Observation observation;
  observation.operator_calls = {{"aten::addmm", 3}, {"aten::addmm:BFloat16", 2}};
  observation.total_operator_calls = 3;
  return observation;
}

TEST(Prove, ComparesTheNumberOfCalls) {
  EXPECT_TRUE(prove(calls("aten::addmm") >= 3, observed()).holds);
  EXPECT_FALSE(prove(calls("aten::addmm") >= 4, observed()).holds);
  EXPECT_TRUE(prove(calls("aten::addmm") <= 3, observed()).holds);
  EXPECT_FALSE(prove(calls("aten::addmm") <= 2, observed()).holds);
  EXPECT_TRUE(prove(calls("aten::addmm").on("BFloat16") == 2, observed()).holds);
  EXPECT_FALSE(prove(calls("aten::addmm").on("Float") == 2, observed()).holds);
  EXPECT_TRUE(prove(calls("aten::batch_norm") == 0, observed()).holds);
}

TEST(Prove, SaysWhatItExpectedAndSaw) {
  const record::PathProof proof = prove(calls("aten::addmm") >= 4, observed());
  EXPECT_EQ(proof.expectation, "calls aten::addmm at least 4 times");
  EXPECT_EQ(proof.observed, 3);
}

TEST(Prove, WhatIsNotCountedProvesNothing) {
  const record::PathProof proof = prove(calls("aten::batch_norm") == 0, Observation{});
  EXPECT_FALSE(proof.holds);
  EXPECT_NE(proof.expectation.find("not counted"), std::string::npos);
}

TEST(Prove, TakesAnExpectationOfOnesOwn) {
  const Expectation none{"allocates nothing", [](const Observation& o) { return o.allocations; },
                         [](std::int64_t n) { return n == 0; }};
  Observation observation;
  EXPECT_FALSE(prove(none, observation).holds);
  observation.allocations = 0;
  EXPECT_TRUE(prove(none, observation).holds);
}

TEST(Prove, AnyExactMetricCanBeEvidence) {
  Observation observation;
  observation.allocations = 0;
  observation.peak_bytes = 640;
  observation.recorded = {{"steps", 3}, {"share", 0.4}};
  const record::PathProof none = prove(metric("allocations") == 0, observation);
  EXPECT_TRUE(none.holds);
  EXPECT_EQ(none.expectation, "has allocations of exactly 0");
  EXPECT_FALSE(prove(metric("peak_bytes") <= 639, observation).holds);
  EXPECT_TRUE(prove(metric("peak_bytes") >= 640, observation).holds);
  EXPECT_EQ(prove(metric("steps") == 4, observation).observed, 3);
  EXPECT_FALSE(prove(metric("retained_bytes") == 0, observation).holds) << "what is not counted proves nothing";
  EXPECT_THROW(prove(metric("share") == 0, observation), std::runtime_error) << "no whole number";
}

}  // namespace
}  // namespace torchgate::bench
