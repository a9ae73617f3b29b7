// SPDX-License-Identifier: Apache-2.0
// What a case says of itself: the distance to its reference, that it cannot run, evidence, a number of samples.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "tests/harness/bench/run/case_runner_fixture.hpp"

namespace torchgate::bench {
namespace {

using record::CaseResult;
using record::CaseStatus;
using testing::CaseRunnerTest;
using testing::counts;
using testing::described;
using testing::ms;
using testing::us;

class CaseEvidenceTest : public CaseRunnerTest {};

TEST_F(CaseEvidenceTest, TheDistanceToTheReferenceIsAnExactMetric) {
  EXPECT_DOUBLE_EQ(measurement(run_variant(returns(5), returns(5)), "output_error").value.value(), 0);
  const CaseResult near = run_variant(returns(3), returns(3.0001), within(1e-2));
  EXPECT_DOUBLE_EQ(measurement(near, "output_error").value.value(), 3.33e-5) << "three digits";
  const CaseResult far = run_variant(returns(3), returns(4));
  EXPECT_EQ(far.status, CaseStatus::wrong);
  EXPECT_TRUE(far.measurements.empty());
}

TEST_F(CaseEvidenceTest, ACaseMaySkipItself) {
  const auto skip = [](const Args&) -> Timed { throw Skip("this LibTorch has no FBGEMM"); };
  expect_no_number(run_sweep(skip), CaseStatus::skipped, "no FBGEMM");
  for (const int call : {1, 2, 60})
    expect_no_number(run_sweep(throws_at(call, [] { throw Skip("no port"); })), CaseStatus::skipped, "no port");
  expect_no_number(run_variant(skip, returns(5)), CaseStatus::skipped, "its reference cannot run: this LibTorch");
}

TEST_F(CaseEvidenceTest, AskedForSamplesItTakesThemHoweverLong) {
  const auto samples_of = [&](const GroupCases& group) {
    const CaseResult result = run(group, "s/g/v");
    EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
    return measurement(result, "time").samples.size();
  };
  EXPECT_EQ(samples_of(described([&](Group& g) { g.sweep("v", returns(1, 300 * ms)); })), 10U)
      << "as many as fit into 3 s";
  EXPECT_EQ(samples_of(described([&](Group& g) { g.samples(25).sweep("v", returns(1, 300 * ms)); })), 25U);
  EXPECT_EQ(samples_of(described([&](Group& g) { g.samples(25).sweep("v", returns(1, 300 * ms)).samples(6); })), 6U);
  EXPECT_EQ(samples_of(described([&](Group& g) { g.samples(7).sweep("v", returns(1, 1 * ms)); })), 7U)
      << "of short calls too";
}

TEST_F(CaseEvidenceTest, OneLongCallIsNotTakenForTheLengthOfAll) {
  // Of the few calls before the samples one is the call whose length says how many are profiled.
  for (int paused = 1; paused <= 12; ++paused) {
    const auto pauses_once = [this, paused](const Args&) -> Timed {
      return [this, paused, calls = 0]() mutable {
        clock.work(++calls == paused ? 30 * ms : 100 * us);
        return 1.0;
      };
    };
    run_sweep(pauses_once);
    EXPECT_EQ(backend.profiled_calls, most_profiled_calls) << "call " << paused;
  }
  run_sweep(returns(1, 8 * ms));
  EXPECT_EQ(backend.profiled_calls, 2) << "a fifteenth of the samples' budget";
  run_sweep(returns(1, 300 * ms));
  EXPECT_EQ(backend.profiled_calls, 1);
}

TEST_F(CaseEvidenceTest, WhatTheCallsRecordCanBeEvidence) {
  const auto counting = [this](const Args&) -> Timed {
    return [this](Recorder& recorder) {
      clock.work(100 * us);
      recorder.put("steps", 3);
      return 1;
    };
  };
  const auto group = [&](std::int64_t steps) {
    return described(
        [&](Group& g) { g.measures(count("steps")).sweep("v", counting).proves(metric("steps") == steps); });
  };
  EXPECT_EQ(run(group(3), "s/g/v").status, CaseStatus::ok);
  backend.calls_per_observation = 2;  // LibTorch's counts memory in one call and operators in another
  EXPECT_EQ(run(group(3), "s/g/v").status, CaseStatus::ok);
  expect_no_number(run(group(4), "s/g/v"), CaseStatus::wrong, "has steps of exactly 4, observed 3");
}

TEST_F(CaseEvidenceTest, EveryObservedCallIsSetUp) {
  bool is_set_up = false;
  const Factory factory = [&](const Args&) -> Timed {
    return each_time([&] { is_set_up = true; },
                     [&](Recorder& recorder) {
                       clock.work(100 * us);
                       recorder.put("prepared", std::exchange(is_set_up, false) ? 1 : 0);
                     });
  };
  backend.calls_per_observation = 2;
  const CaseResult result = run(
      described([&](Group& g) { g.measures(count("prepared")).sweep("v", factory).proves(metric("prepared") == 1); }),
      "s/g/v");
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
}

TEST_F(CaseEvidenceTest, BothObservationsMustShowTheExpectedCodePath) {
  const GroupCases group = described([&](Group& g) { g.sweep("v", returns(1)).proves(calls("aten::mm") == 2); });
  for (const auto& observed : {std::pair(2, 0), std::pair(0, 2)}) {
    testing::FakeBackend fresh;
    fresh.observations = {counts(observed.first, 0), counts(observed.second, 0)};
    const auto instances = group.instances();
    CaseRunner runner(fresh, SamplerSettings{}, clock);
    const CaseResult result = runner.run(group, instances.front(), instances);
    expect_no_number(result, CaseStatus::wrong,
                     "observed " + std::to_string(observed.first) + " in one call and " +
                         std::to_string(observed.second) + " in the next");
    ASSERT_EQ(result.proofs.size(), 1U);
    EXPECT_EQ(result.proofs.front().observed, 0);
  }
}

TEST_F(CaseEvidenceTest, ACallThatCannotBeRecordedIntoAGraphIsNotCounted) {
  bool is_recorded = false;
  backend.on_recorded_call = [&](const std::function<void()>& call) {
    is_recorded = true;
    EXPECT_THROW(call(), std::runtime_error);
    is_recorded = false;
  };
  const auto counting = [&](const Args&) -> Timed {
    return [&](Recorder& recorder) {
      clock.work(100 * us);
      recorder.put("steps", 3);
      if (is_recorded) throw std::runtime_error("operation not permitted when stream is capturing");
      return 1;
    };
  };
  const CaseResult result =
      run(described([&](Group& g) { g.measures(count("steps")).sweep("v", counting).proves(metric("steps") == 3); }),
          "s/g/v");
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
}

TEST_F(CaseEvidenceTest, EvidenceOfOtherCasesIsNotAskedFor) {
  backend.observations = {counts(2, 0)};
  const GroupCases group = described([&](Group& g) {
    const Axis op = g.axis("op", {"bmm", "addmm"});
    g.sweep("v", returns(1)).proves(calls("aten::mm") == 2, op("bmm")).proves(calls("aten::mm") == 0, op("addmm"));
  });
  EXPECT_EQ(run(group, "s/g/v/op:bmm").status, CaseStatus::ok);
  EXPECT_EQ(run(group, "s/g/v/op:addmm").status, CaseStatus::wrong);
}

}  // namespace
}  // namespace torchgate::bench
