// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/case_runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include "tests/harness/bench/run/case_runner_fixture.hpp"

namespace torchgate::bench {
namespace {

using record::CaseResult;
using record::CaseStatus;
using testing::CaseRunnerTest;
using testing::counts;
using testing::described;
using testing::FakeClock;
using testing::ms;
using testing::us;

TEST_F(CaseRunnerTest, MeasuresTheTimeOfACall) {
  const CaseResult result = run_variant(returns(5), returns(5, 250 * us));
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
  EXPECT_EQ(result.name, "s/g/v");
  EXPECT_EQ(result.calls_per_sample, 1);
  const auto& time = measurement(result, "time");
  EXPECT_DOUBLE_EQ(time.summary.value().median, 250'000);
  EXPECT_EQ(time.summary->n, 400);
  EXPECT_EQ(time.samples.size(), 400U);
  EXPECT_DOUBLE_EQ(measurement(result, "cpu_time").summary.value().median, 250'000);
  ASSERT_TRUE(result.check.has_value());
  EXPECT_TRUE(result.check->within);
  EXPECT_EQ(result.check->against, "s/g/ref");
}

TEST_F(CaseRunnerTest, WhatThrowsHasFailedAtEveryStage) {
  const auto runtime_error = [] { throw std::runtime_error("boom"); };
  const auto number = [] { throw 7; };
  // 1: the check's or the counting's call, 2 and 3: while observed, 60: warm-up, 500: a sample.
  for (const int n : {1, 2, 3, 60, 500}) {
    expect_no_number(run_sweep(throws_at(n, runtime_error)), CaseStatus::failed, "boom");
    expect_no_number(run_sweep(throws_at(n, number)), CaseStatus::failed, "not a std::exception");
  }
  expect_no_number(run_sweep([](const Args&) -> Timed { throw std::runtime_error("no memory for the model"); }),
                   CaseStatus::failed, "no memory for the model");
  expect_no_number(run_sweep([](const Args&) -> Timed { throw 7; }), CaseStatus::failed, "not a std::exception");
  expect_no_number(run_sweep([](const Args& args) -> Timed { return [n = args.number("batch")] { return n; }; }),
                   CaseStatus::failed, "unknown axis \"batch\"");
  expect_no_number(run_sweep(throws_at(1, [] { throw std::bad_alloc(); })), CaseStatus::failed, "ran out of memory");
  expect_no_number(run_sweep(throws_at(1, [] { throw std::runtime_error(""); })), CaseStatus::failed,
                   "without a message");
  backend.on_synchronize = [] { throw std::runtime_error("device lost"); };
  expect_no_number(run_sweep(returns(1)), CaseStatus::failed, "device lost");
}

TEST_F(CaseRunnerTest, AFailedReferenceFailsItsVariantsByName) {
  const auto boom = [](const Args&) -> Timed { throw std::runtime_error("boom"); };
  expect_no_number(run_variant(boom, returns(1)), CaseStatus::failed, "its reference s/g/ref failed: boom");
  expect_no_number(run_variant([](const Args&) -> Timed { throw 7; }, returns(1)), CaseStatus::failed,
                   "not a std::exception");
  expect_no_number(run_variant([](const Args&) -> Timed { return [] {}; }, returns(1)), CaseStatus::failed,
                   "its reference s/g/ref failed: it returns no output");
}

TEST_F(CaseRunnerTest, ALongMessageIsCutBeforeTheStackTrace) {
  const std::string text = "shapes differ\nException raised from check at a.cpp:1\n" + std::string(2000, 'x');
  EXPECT_EQ(run_sweep(throws_at(1, [=] { throw std::runtime_error(text); })).message, "shapes differ");
  const std::string of_cuda =
      "CUDA error: out of memory\nSearch for `cudaErrorMemoryAllocation' in https://docs.nvidia.com for more "
      "information.\n"
      "CUDA kernel errors might be asynchronously reported at some other API call.\n";
  EXPECT_EQ(run_sweep(throws_at(1, [=] { throw std::runtime_error(of_cuda); })).message, "CUDA error: out of memory");
}

TEST_F(CaseRunnerTest, AnotherOutputIsWrong) {
  const CaseResult result = run_variant(returns(5), returns(6));
  expect_no_number(result, CaseStatus::wrong, "output differs from s/g/ref: relative L2 distance 0.2, allowed 1e-05");
  EXPECT_DOUBLE_EQ(result.check->relative_l2, 0.2);
  EXPECT_EQ(run_variant(returns(5), returns(6), within(0.2)).status, CaseStatus::ok);
  expect_no_number(run_variant(returns(5), returns(std::nan(""))), CaseStatus::wrong,
                   "output differs from s/g/ref: the relative L2 distance is not finite");
}

TEST_F(CaseRunnerTest, TheSecondOutputIsComparedWithTheSecondOfTheReference) {
  // What each call returns, the last of them from then on.
  const auto returning = [this](std::vector<double> values) -> Factory {
    return [this, values](const Args&) -> Timed {
      return [this, values, calls = std::size_t{0}]() mutable {
        clock.work(100 * us);
        return values[std::min(calls++, values.size() - 1)];
      };
    };
  };
  const CaseResult stale = run_variant(returning({5}), returning({5, 6}));
  expect_no_number(stale, CaseStatus::wrong, "call 2: output differs from s/g/ref: relative L2 distance 0.2");
  EXPECT_DOUBLE_EQ(stale.check->relative_l2, 0.2);
  expect_no_number(run_variant(returning({5, 6}), returning({5})), CaseStatus::wrong, "call 2: output differs");
  const CaseResult trained = run_variant(returning({5, 6}), returning({5, 6}));
  EXPECT_EQ(trained.status, CaseStatus::ok) << "both changed";
  EXPECT_EQ(run_variant(returning({5}), returning({6, 7})).message,
            "output differs from s/g/ref: relative L2 distance 0.2, allowed 1e-05")
      << "once";
  const auto at_most_one = [](const Output& output) -> std::optional<std::string> {
    if (output.values.front() <= 1) return std::nullopt;
    return "more than one";
  };
  expect_no_number(run(described([&](Group& g) {
                         g.sweep("v", returning({1, 2})).checks(at_most_one);
                       }),
                       "s/g/v"),
                   CaseStatus::wrong, "call 2: more than one");
}

TEST_F(CaseRunnerTest, AColdStartsSecondOutputIsComparedAfterwards) {
  const auto group_of = [&](double second) {
    return described([this, second](Group& g) {
      g.cold(1);
      g.reference("ref", [this](const Args& args) {
        backend.setting = 3;
        return returns(5)(args);
      });
      g.variant("v", [this, second](const Args&) -> Timed {
        backend.setting = 7;
        return [this, second, calls = 0]() mutable {
          clock.work(100 * us);
          EXPECT_EQ(backend.setting, 7) << "its own settings last for its calls";
          return ++calls == 2 ? second : 5.0;
        };
      });
    });
  };
  EXPECT_EQ(run(group_of(5), "s/g/v").status, CaseStatus::ok);
  expect_no_number(run(group_of(6), "s/g/v"), CaseStatus::wrong, "call 2: output differs");
}

TEST_F(CaseRunnerTest, OutputsOfOtherSizesAndEmptyOnesAreWrong) {
  const auto vector = [](std::size_t n) {
    return [n](const Args&) -> Timed { return [n] { return std::vector<double>(n, 1.0); }; };
  };
  expect_no_number(run_variant(vector(3), vector(2)), CaseStatus::wrong, "2 elements, expected 3");
  expect_no_number(run_variant(vector(0), vector(0)), CaseStatus::wrong, "nothing was compared");
  expect_no_number(run_variant(vector(1), [](const Args&) -> Timed { return [] {}; }), CaseStatus::failed,
                   "returns no output to compare with s/g/ref");
}

TEST_F(CaseRunnerTest, AnAuthorsCheckReplacesTheComparison) {
  std::optional<std::string> what;
  const GroupCases group = described([&](Group& g) {
    g.reference("ref", returns(5));
    g.variant("v", returns(6)).checks([&](const Output& reference, const Output& output) {
      EXPECT_EQ(reference.values.front(), 5);
      EXPECT_EQ(output.values.front(), 6);
      return what;
    });
  });
  EXPECT_EQ(run(group, "s/g/v").status, CaseStatus::ok);
  what = "labels are shuffled";
  expect_no_number(run(group, "s/g/v"), CaseStatus::wrong, "labels are shuffled");
}

TEST_F(CaseRunnerTest, ASweepsCheckSeesTheOutputOfEveryCase) {
  std::vector<double> checked;
  const auto at_most_one = [&](const Output& output) -> std::optional<std::string> {
    checked.push_back(output.values.front());
    if (checked.back() <= 1) return std::nullopt;
    return "more than one";
  };
  const Factory batch = [this](const Args& args) { return returns(static_cast<double>(args.number("batch")))(args); };
  const GroupCases group = described([&](Group& g) {
    g.axis("batch", {1, 8});
    g.sweep("v", batch).checks(at_most_one);
  });
  EXPECT_EQ(run(group, "s/g/v/batch:1").status, CaseStatus::ok);
  expect_no_number(run(group, "s/g/v/batch:8"), CaseStatus::wrong, "more than one");
  EXPECT_EQ(checked, (std::vector<double>{1, 1, 8}));
}

TEST_F(CaseRunnerTest, ASweepsCheckThatThrowsOrHasNothingToCheckHasFailed) {
  const auto throwing = [](const Output&) -> std::optional<std::string> { throw std::runtime_error("no labels"); };
  expect_no_number(run(described([&](Group& g) { g.sweep("v", returns(1)).checks(throwing); }), "s/g/v"),
                   CaseStatus::failed, "no labels");
  const Factory silent = [](const Args&) -> Timed { return [] {}; };
  expect_no_number(run(described([&](Group& g) { g.sweep("v", silent).checks(throwing); }), "s/g/v"),
                   CaseStatus::failed, "its call returns nothing for checks() to check");
}

TEST_F(CaseRunnerTest, AnUnprovenPathIsWrong) {
  backend.observations = {counts(4, 64)};
  const GroupCases group = described([&](Group& g) {
    g.reference("ref", returns(5));
    g.variant("v", returns(5)).proves(calls("quantized::linear") >= 1);
  });
  const CaseResult result = run(group, "s/g/v");
  expect_no_number(
      result, CaseStatus::wrong,
      "the expected code path did not run: expected that it calls quantized::linear at least 1 time, observed 0");
  ASSERT_EQ(result.proofs.size(), 1U);
  EXPECT_FALSE(result.proofs.front().holds);
}

TEST_F(CaseRunnerTest, ACodePathThatIsNotCountedIsWrong) {
  const GroupCases group =
      described([&](Group& g) { g.sweep("v", returns(5)).proves(calls("aten::batch_norm") == 0); });
  expect_no_number(run(group, "s/g/v"), CaseStatus::wrong, "not counted");
}

TEST_F(CaseRunnerTest, ExactMetricsAreThoseThatRepeat) {
  backend.observations = {counts(4, 64), counts(4, 80)};
  const CaseResult result = run_sweep(returns(1));
  EXPECT_EQ(result.status, CaseStatus::ok);
  EXPECT_EQ(measurement(result, "operator_calls").value, 4);
  EXPECT_THROW((void)measurement(result, "allocated_bytes"), std::logic_error);
  EXPECT_THROW((void)measurement(result, "peak_bytes"), std::logic_error) << "not counted is not zero";
  EXPECT_NE(result.message.text().find("allocated_bytes is not repeatable (64, then 80)"), std::string::npos)
      << result.message;
}

TEST_F(CaseRunnerTest, LaunchesAreCountedOrItIsSaidWhyNot) {
  Observation seen = counts(4, 64);
  seen.kernel_launches = 3;
  seen.device_copies = 0;
  backend.observations = {seen};
  backend.present = {"cuda"};
  const GroupCases group = described([&](Group& g) { g.devices().sweep("v", returns(1)); });
  const CaseResult counted = run(group, "s/g/v/device:cuda");
  EXPECT_EQ(measurement(counted, "kernel_launches").value, 3);
  EXPECT_EQ(measurement(counted, "device_copies").value, 0);
  EXPECT_EQ(counted.message, "");
  EXPECT_THROW((void)measurement(run(group, "s/g/v/device:cpu"), "kernel_launches"), std::logic_error);

  seen = counts(4, 64);
  seen.launches_unknown = "it waits for the device\nException raised from here\n#0 and there";
  backend.observations = {seen};
  const CaseResult unknown = run(group, "s/g/v/device:cuda");
  EXPECT_EQ(unknown.status, CaseStatus::ok);
  EXPECT_EQ(unknown.message, "kernel launches unknown: it waits for the device");
  EXPECT_THROW((void)measurement(unknown, "kernel_launches"), std::logic_error);
}

TEST_F(CaseRunnerTest, AMetricThatIsLeftOutIsNotRecordedAndNotMissed) {
  backend.observations = {counts(4, 64), counts(4, 80)};
  const CaseResult result =
      run(described([&](Group& g) { g.without({"allocated_bytes"}).sweep("v", returns(1)); }), "s/g/v");
  EXPECT_EQ(result.status, CaseStatus::ok);
  EXPECT_THROW((void)measurement(result, "allocated_bytes"), std::logic_error);
  EXPECT_EQ(result.message, "");
}

Factory records(FakeClock& clock, std::function<void(Recorder&, int)> put) {
  return [&clock, put](const Args&) -> Timed {
    return [&clock, put, calls = 0](Recorder& recorder) mutable {
      clock.work(1 * ms);
      put(recorder, ++calls);
    };
  };
}
GroupCases measuring(const Factory& factory, record::MetricKind kind) {
  return described([&](Group& g) {
    g.measures(OwnMetric({"own", "ns", record::Direction::lower_is_better, kind, false})).sweep("v", factory);
  });
}

TEST_F(CaseRunnerTest, MeasuresWhatTheCaseMeasuresItself) {
  const auto own = records(clock, [](Recorder& r, int) { r.put("own", 42); });
  const CaseResult timed = run(measuring(own, record::MetricKind::timed), "s/g/v");
  EXPECT_DOUBLE_EQ(measurement(timed, "own").summary.value().median, 42);
  EXPECT_EQ(measurement(timed, "own").samples.size(), measurement(timed, "time").samples.size());
  const CaseResult exact = run(measuring(own, record::MetricKind::exact), "s/g/v");
  EXPECT_EQ(measurement(exact, "own").value, 42);
  EXPECT_FALSE(measurement(exact, "own").summary.has_value());
}

TEST_F(CaseRunnerTest, ADeclaredMetricThatIsMissingHasFailed) {
  using record::MetricKind;
  const auto never = records(clock, [](Recorder&, int) {});
  expect_no_number(run(measuring(never, MetricKind::timed), "s/g/v"), CaseStatus::failed,
                   "declares the metric \"own\", but recorded it in 0 of 300 samples");
  const auto sometimes = records(clock, [](Recorder& r, int n) {
    if (n % 2 == 0) r.put("own", 1);
  });
  expect_no_number(run(measuring(sometimes, MetricKind::timed), "s/g/v"), CaseStatus::failed, "150 of 300 samples");
  const auto other = records(clock, [](Recorder& r, int) { r.put("onw", 1); });
  expect_no_number(run(measuring(other, MetricKind::timed), "s/g/v"), CaseStatus::failed,
                   "undeclared metric \"onw\"; declare it with measures()");
}

TEST_F(CaseRunnerTest, ANaNSampleHasFailed) {
  using record::MetricKind;
  const auto once = records(clock, [](Recorder& r, int n) { r.put("own", n == 100 ? std::nan("") : 1); });
  expect_no_number(run(measuring(once, MetricKind::timed), "s/g/v"), CaseStatus::failed,
                   "a sample that is not a finite number");
  const auto always = records(clock, [](Recorder& r, int) { r.put("own", std::nan("")); });
  expect_no_number(run(measuring(always, MetricKind::exact), "s/g/v"), CaseStatus::failed,
                   "own is not a finite number");
}

TEST_F(CaseRunnerTest, AnExactMetricThatChangesHasFailed) {
  const auto counting = records(clock, [](Recorder& r, int n) { r.put("own", n); });
  expect_no_number(run(measuring(counting, record::MetricKind::exact), "s/g/v"), CaseStatus::failed,
                   "own is declared exact, but differs from sample to sample");
}

TEST_F(CaseRunnerTest, WarmUpLeftInTheSamplesIsCut) {
  // Three calls are counted and 35 warm up (1.5 ms each); then the first 20 samples are slow.
  int calls = 0;
  const CaseResult result = run_sweep([&](const Args&) -> Timed {
    return [&] { clock.work(++calls <= 3 + 35 + 20 ? 1500 * us : 1000 * us + (calls % 3) * us); };
  });
  EXPECT_EQ(result.steady, true);
  const auto& time = measurement(result, "time");
  EXPECT_GE(result.discarded_samples, 20);
  EXPECT_LE(result.discarded_samples, 60);
  EXPECT_EQ(result.discard_reason, "warm-up, found by MSER-5");
  EXPECT_EQ(time.summary->n + result.discarded_samples, static_cast<std::int64_t>(time.samples.size()));
  EXPECT_LT(time.summary->max, 1.01e6);
  EXPECT_DOUBLE_EQ(time.samples.front(), 1.5e6) << "raw samples are kept";
  EXPECT_EQ(measurement(result, "cpu_time").summary->n, time.summary->n);
}

TEST_F(CaseRunnerTest, WhatNeverBecomesSteadyIsSaidSo) {
  int calls = 0;
  const CaseResult result =
      run_sweep([&](const Args&) -> Timed { return [&] { clock.work(1 * ms + ++calls * 10 * us); }; });
  EXPECT_EQ(result.steady, false);
  EXPECT_EQ(result.discarded_samples, 0);
}

TEST_F(CaseRunnerTest, WhatAVariantDrawsDoesNotDependOnOtherCases) {
  // Both draw once while they are built and once in the call: alike only if both start from the same state.
  const Factory drawing = [this](const Args&) -> Timed {
    const auto input = static_cast<double>(backend.draw());
    return [this, input] {
      clock.work(1 * ms);
      return std::vector<double>{input, static_cast<double>(backend.draw())};
    };
  };
  const GroupCases group = described([&](Group& g) {
    g.reference("ref", drawing);
    g.variant("a", drawing).within(0);
    g.variant("b", drawing).within(0);
  });
  const auto instances = group.instances();
  CaseRunner runner(backend, SamplerSettings{}, clock);
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_EQ(runner.run(group, instances[i], instances).status, CaseStatus::ok) << "case " << i;
  }
}

TEST_F(CaseRunnerTest, GradientsAreRecordedWhereTheGroupTrains) {
  (void)run(described([&](Group& g) { g.training().sweep("v", returns(1)); }), "s/g/v");
  EXPECT_TRUE(backend.gradients);
  (void)run(described([&](Group& g) { g.sweep("v", returns(1)); }), "s/g/v");
  EXPECT_FALSE(backend.gradients);
}

TEST_F(CaseRunnerTest, WhatCannotRunIsSkippedWithTheReason) {
  const auto skipped = [this](const GroupCases& group, const std::string& name, const std::string& reason) {
    expect_no_number(run(group, name), CaseStatus::skipped, reason);
  };
  skipped(described([&](Group& g) { g.needs("tpu").sweep("v", returns(1)); }), "s/g/v", "there is no tpu");
  skipped(described([&](Group& g) { g.devices().sweep("v", returns(1)); }), "s/g/v/device:cuda", "there is no cuda");
  skipped(described([&](Group& g) {
            g.sweep("v", returns(1)).needs("luck", [] { return std::optional<std::string>("no luck"); });
          }),
          "s/g/v", "no luck");
  skipped(described([&](Group& g) {
            g.reference("ref", returns(1)).needs("tpu");
            g.variant("v", returns(1));
          }),
          "s/g/v", "its reference cannot run: there is no tpu");
  skipped(described([&](Group& g) {
            g.sweep("v", returns(1)).needs("luck", []() -> std::optional<std::string> { throw 7; });
          }),
          "s/g/v", "requirement luck could not be tested");
  backend.present = {"tpu"};
  EXPECT_EQ(run(described([&](Group& g) { g.needs("tpu").sweep("v", returns(1)); }), "s/g/v").status, CaseStatus::ok);
}

TEST_F(CaseRunnerTest, ANeedOfSomeCasesIsNotAskedOfTheOthers) {
  const GroupCases group = described([&](Group& g) {
    const Axis batch = g.axis("batch", {1, 8});
    g.needs("tpu", batch(8));
    g.sweep("v", returns(1));
  });
  EXPECT_EQ(run(group, "s/g/v/batch:1").status, CaseStatus::ok);
  EXPECT_EQ(run(group, "s/g/v/batch:8").status, CaseStatus::skipped);
}

}  // namespace
}  // namespace torchgate::bench
