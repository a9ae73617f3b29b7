// SPDX-License-Identifier: Apache-2.0
// A case on a device, from its group to its result: a simulated device, all else as in a suite.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "harness/bench/program/process_report.hpp"
#include "harness/bench/run/case_runner.hpp"
#include "harness/record/codec.hpp"
#include "tests/harness/bench/described.hpp"
#include "tests/harness/bench/device/fake_device.hpp"

namespace torchgate::bench {
namespace {

using testing::always;
using testing::described;
using testing::FakeBackend;
using testing::FakeClock;
using testing::FakeDevice;
using testing::FixedTurns;
using testing::ms;

using record::CaseResult;
using record::CaseStatus;

class DeviceCaseTest : public ::testing::Test {
 protected:
  DeviceCaseTest() {
    backend.present = {"cuda"};
    backend.cuda = &device;
    backend.on_synchronize = [this] { (void)device.synchronize(); };
  }
  // Four kernels of 50 us, and twice that without the cache.
  Factory kernels() {
    return [this](const Args&) -> Timed { return [this] { device.launch(4, 50e3, 100e3); }; };
  }
  CaseResult run(const GroupCases& group, const std::string& name) {
    const auto instances = group.instances();
    for (const auto& instance : instances) {
      if (instance.definition.name == name) return runner.run(group, instance, instances);
    }
    ADD_FAILURE() << "no case " << name;
    return {};
  }
  CaseResult run_in_turns(const GroupCases& group, const std::string& name, TurnGiver& turns) {
    const auto instances = group.instances();
    for (const auto& instance : instances) {
      if (instance.definition.name == name) return runner.run_in_turns(group, instance, instances, turns);
    }
    ADD_FAILURE() << "no case " << name;
    return {};
  }
  static const record::Measurement* find(const CaseResult& result, const std::string& metric) {
    const auto found = std::find_if(result.measurements.begin(), result.measurements.end(),
                                    [&](const auto& m) { return m.metric == metric; });
    return found == result.measurements.end() ? nullptr : &*found;
  }
  static double median(const CaseResult& result, const std::string& metric) {
    const auto* m = find(result, metric);
    return m == nullptr || !m->summary ? -1 : m->summary->median;
  }

  FakeClock clock;
  FakeDevice device{clock};
  FakeBackend backend;
  CaseRunner runner{backend, quick_settings(), clock};
};

TEST_F(DeviceCaseTest, HostTimeAndDeviceTimesStandBesideEachOther) {
  const CaseResult result = run(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda");
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
  EXPECT_EQ(result.message, "");
  EXPECT_NEAR(median(result, "gpu_time_cold"), 400e3, 500);
  EXPECT_NEAR(median(result, "gpu_time_hot"), 200e3, 500);
  EXPECT_NEAR(median(result, "time"), 200e3 + 5e3 + 2e3, 1e3)
      << "the first launch and its way to the device come on top";
  EXPECT_NEAR(median(result, "gpu_clock_hot"), 1'000, 10);
  EXPECT_NEAR(median(result, "gpu_clock_cold"), 1'000, 10);
  EXPECT_EQ(find(result, "gpu_time_graph"), nullptr);
}

TEST_F(DeviceCaseTest, AGraphIsMeasuredWhereTheAuthorSaysSo) {
  const GroupCases group = described([&](Group& g) { g.devices().graphs().sweep("v", kernels()); });
  const CaseResult result = run(group, "s/g/v/device:cuda");
  EXPECT_NEAR(median(result, "gpu_time_graph"), 200e3, 50);
  EXPECT_EQ(find(result, "graph_nodes")->value, 40) << "ten calls of four kernels";
}

TEST_F(DeviceCaseTest, TheCpuCaseBesideItIsMeasuredAsEver) {
  const Factory work = [this](const Args&) -> Timed { return [this] { clock.work(300'000); }; };
  const CaseResult result =
      run(described([&](Group& g) { g.devices().graphs().sweep("v", work); }), "s/g/v/device:cpu");
  EXPECT_DOUBLE_EQ(median(result, "time"), 300e3);
  EXPECT_EQ(find(result, "gpu_time_hot"), nullptr);
  EXPECT_EQ(result.message, "");
  EXPECT_EQ(device.launches(), 0);
}

TEST_F(DeviceCaseTest, HostSamplesUnderThrottlingAreDiscardedToo) {
  // In the middle of the host's samples: warm-up takes 10 ms, 190 samples follow.
  const auto begin = static_cast<double>(clock.wall_ns());
  device.throttles = {{begin + 30e6, begin + 33e6, 0.5}};
  const CaseResult result = run(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda");
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
  EXPECT_EQ(result.message, "time: discarded 1 sample below the expected clock");
  EXPECT_LT(find(result, "time")->summary->max, 210e3);
  EXPECT_EQ(find(result, "time")->samples.size(), find(result, "cpu_time")->samples.size());
}

TEST_F(DeviceCaseTest, TakesTurnsForTheTimeOfTheHost) {
  FixedTurns turns(16, 8 * ms);
  const CaseResult result =
      run_in_turns(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda", turns);
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
  ASSERT_TRUE(find(result, "time")->turns);
  EXPECT_EQ(find(result, "time")->turns->means.size(), 16U);
  EXPECT_NEAR(find(result, "time")->turns->floor, 207e3, 1e3) << "with the wait for the device";
  EXPECT_NEAR(median(result, "gpu_time_hot"), 200e3, 500);
  EXPECT_NEAR(median(result, "gpu_time_cold"), 400e3, 500);
  EXPECT_FALSE(find(result, "gpu_time_hot")->turns) << "of all samples in one piece, after the turns";
  EXPECT_EQ(backend.gave_back, (std::vector<std::string>{"cuda"})) << "the other side needs the memory";
}

// A sample of several calls that waited for the device once would have another time per call than those that are taken in one piece.
TEST_F(DeviceCaseTest, WaitsForTheDeviceInTurnsAsOftenAsInOnePiece) {
  const Factory one_short_kernel = [this](const Args&) -> Timed { return [this] { device.launch(1, 10e3, 10e3); }; };
  const GroupCases group = described([&](Group& g) { g.devices().sweep("v", one_short_kernel); });
  const CaseResult in_one_piece = run(group, "s/g/v/device:cuda");
  FixedTurns turns(16, 8 * ms);
  const CaseResult in_turns = run_in_turns(group, "s/g/v/device:cuda", turns);
  ASSERT_EQ(in_turns.status, CaseStatus::ok) << in_turns.message;
  EXPECT_DOUBLE_EQ(median(in_turns, "time"), median(in_one_piece, "time"));
  EXPECT_GT(in_turns.calls_per_sample, in_one_piece.calls_per_sample);
  EXPECT_LT(find(in_turns, "time")->samples.size(), 1000U);
}

TEST_F(DeviceCaseTest, ThrottledSamplesOfATurnAreDiscardedAndTheOthersKeepTheirPartners) {
  FixedTurns turns(16, 8 * ms);
  const auto begin = static_cast<double>(clock.wall_ns());
  device.throttles = {{begin + 60e6, begin + 62e6, 0.5}};
  const CaseResult result =
      run_in_turns(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda", turns);
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
  EXPECT_EQ(result.message.text().find("time: discarded "), 0U) << result.message;
  const auto* time = find(result, "time");
  EXPECT_LT(time->summary->max, 210e3);
  EXPECT_EQ(time->turns->means.size(), 16U);
  EXPECT_EQ(std::accumulate(time->turns->counts.begin(), time->turns->counts.end(), std::int64_t{0}),
            static_cast<std::int64_t>(time->samples.size()));
}

TEST_F(DeviceCaseTest, ATurnOfThrottledSamplesAloneKeepsThem) {
  FixedTurns turns(16, 1);  // of one sample
  const auto begin = static_cast<double>(clock.wall_ns());
  device.throttles = {{begin + 13.2e6, begin + 13.3e6, 0.5}};
  const CaseResult result =
      run_in_turns(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda", turns);
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
  EXPECT_EQ(find(result, "time")->samples.size(), 16U);
  EXPECT_GT(find(result, "time")->summary->max, 220e3);
}

TEST_F(DeviceCaseTest, LackOfMemoryIsToldApartFromOtherFailures) {
  const auto lacked = [&](const std::string& why, const std::string& name) {
    const GroupCases group = described(
        [&](Group& g) { g.devices().sweep("v", [why](const Args&) -> Timed { throw std::runtime_error(why); }); });
    const auto instances = group.instances();
    FixedTurns turns(16, 8 * ms);
    const CaseResult result = run_in_turns(group, name, turns);
    return runner.lacked_memory(*std::find_if(instances.begin(), instances.end(),
                                              [&](const auto& each) { return each.definition.name == name; }),
                                result);
  };
  const std::string tried = "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 139 GiB";
  EXPECT_TRUE(lacked(tried, "s/g/v/device:cuda"));
  EXPECT_TRUE(lacked("CUDA error: out of memory", "s/g/v/device:cuda"));
  EXPECT_TRUE(lacked("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate", "s/g/v/device:cuda"));
  EXPECT_FALSE(lacked(tried, "s/g/v/device:cpu"));
  EXPECT_FALSE(lacked("the shapes do not fit", "s/g/v/device:cuda"));
  EXPECT_FALSE(lacked(no_host_memory, "s/g/v/device:cuda"));
}

TEST_F(DeviceCaseTest, ADeviceThatIsAlwaysThrottledHasNoTime) {
  device.throttles = {{0, always, 0.5}};
  const CaseResult result = run(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda");
  EXPECT_EQ(result.status, CaseStatus::failed);
  EXPECT_TRUE(result.measurements.empty());
  EXPECT_EQ(result.message.text().find("time is not valid: "), 0U) << result.message;
}

TEST_F(DeviceCaseTest, AValueOfItsOwnIsDiscardedWithItsSample) {
  const auto begin = static_cast<double>(clock.wall_ns());
  device.throttles = {{begin + 30e6, begin + 33e6, 0.5}};
  const Factory recording = [this](const Args&) -> Timed {
    return [this](Recorder& recorder) {
      device.launch(4, 50e3, 100e3);
      recorder.put("own", 7);
    };
  };
  const GroupCases group = described([&](Group& g) { g.devices().measures(ns("own")).sweep("v", recording); });
  const CaseResult result = run(group, "s/g/v/device:cuda");
  EXPECT_EQ(result.status, CaseStatus::ok) << result.message;
  EXPECT_EQ(find(result, "own")->samples.size(), find(result, "time")->samples.size());
}

// Each call has a number of observations of its own, so that a wrong boundary would mix those of neighbours.
TEST_F(DeviceCaseTest, ObservationsAreDiscardedWithTheirSample) {
  const auto begin = static_cast<double>(clock.wall_ns());
  device.throttles = {{begin + 30e6, begin + 33e6, 0.5}};
  const auto observations_of = [](int call) { return 1 + call % 3; };
  const Factory recording = [&](const Args&) -> Timed {
    return [&, call = 0](Recorder& recorder) mutable {
      device.launch(4, 50e3, 100e3);
      ++call;
      for (int i = 0; i < observations_of(call); ++i) recorder.each("seen", call);
    };
  };
  const GroupCases group =
      described([&](Group& g) { g.devices().measures(ns("seen").pooled()).sweep("v", recording); });
  const CaseResult result = run(group, "s/g/v/device:cuda");
  ASSERT_EQ(result.status, CaseStatus::ok) << result.message;
  EXPECT_EQ(result.message, "time: discarded 1 sample below the expected clock");
  const std::vector<double>& seen = find(result, "seen")->samples;
  const int first = static_cast<int>(seen.front());
  const int last = static_cast<int>(seen.back());
  EXPECT_EQ(static_cast<std::size_t>(last - first), find(result, "time")->samples.size()) << "one of them is missing";
  std::vector<int> missing;
  for (int call = first; call <= last; ++call) {
    const auto found = std::count(seen.begin(), seen.end(), call);
    if (found == 0) missing.push_back(call);
    EXPECT_TRUE(found == 0 || found == observations_of(call)) << found << " of call " << call;
  }
  EXPECT_EQ(missing.size(), 1U);
}

TEST_F(DeviceCaseTest, AnObserverIsToldOfTheHostsSamples) {
  // As Google Benchmark's adapter is, whose own clock runs between begin and end.
  class Witness final : public SampleObserver {
   public:
    explicit Witness(FakeClock& clock) : clock_(clock) {}
    void on_start(std::int64_t samples, std::int64_t) override { announced = samples; }
    void on_sample_begin() override { began_ns_ = clock_.wall_ns(); }
    void on_sample_end() override { longest_ns = std::max(longest_ns, clock_.wall_ns() - began_ns_), ++seen; }
    std::int64_t announced = 0;
    std::int64_t seen = 0;
    std::int64_t longest_ns = 0;

   private:
    FakeClock& clock_;
    std::int64_t began_ns_ = 0;
  };
  Witness witness(clock);
  const GroupCases group = described([&](Group& g) { g.devices().sweep("v", kernels()); });
  const auto instances = group.instances();
  const CaseResult result = runner.run(group, instances[1], instances, &witness);
  EXPECT_EQ(witness.announced, static_cast<std::int64_t>(find(result, "time")->samples.size()));
  EXPECT_EQ(witness.seen, witness.announced);
  EXPECT_NEAR(static_cast<double>(witness.longest_ns), 207e3, 1e3) << "reading the device's clock is outside of it";
}

TEST_F(DeviceCaseTest, WhatTheDeviceRefusesFailsTheCase) {
  for (const char* method : {"stamp_clock", "synchronize", "clock_between"}) {
    device.refuses = {{method, "no"}};
    const CaseResult result = run(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda");
    EXPECT_EQ(result.status, CaseStatus::failed);
    EXPECT_EQ(result.message, "reading the device's clock: no") << method;
  }
  device.refuses = {{"hold", "no"}};
  const CaseResult result = run(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda");
  EXPECT_EQ(result.message, "holding the device: no");
  EXPECT_TRUE(result.measurements.empty()) << "not even the host's time, which was taken before";
}

TEST_F(DeviceCaseTest, ALostDeviceFailsItsCaseAndThoseAfterIt) {
  device.lost_after = 100;
  const GroupCases group = described([&](Group& g) {
    g.axis("n", {1, 2});
    g.devices();
    g.sweep("v", kernels());
  });
  const CaseResult first = run(group, "s/g/v/n:1/device:cuda");
  EXPECT_EQ(first.status, CaseStatus::failed);
  EXPECT_TRUE(first.measurements.empty());
  EXPECT_EQ(first.message, "CUDA error: an illegal memory access was encountered");
  const CaseResult second = run(group, "s/g/v/n:2/device:cuda");
  EXPECT_EQ(second.status, CaseStatus::failed);
  EXPECT_EQ(second.message,
            "its device failed in an earlier case of this process: an illegal memory access was encountered");
}

TEST_F(DeviceCaseTest, ADeviceThatIsLostBeforeItWasOpenedFailsTheCasesAfterIt) {
  const std::string illegal = "CUDA error: an illegal memory access was encountered";
  const Factory lose = [&](const Args&) -> Timed {
    backend.lost_before_opened = illegal;
    backend.device_error = base::Error{base::ErrorCode::io, "the CUDA device cannot be used: " + illegal};
    throw std::runtime_error(illegal);
  };
  const GroupCases group = described([&](Group& g) {
    g.axis("n", {1, 2});
    g.devices();
    g.sweep("v", lose);
  });
  EXPECT_EQ(run(group, "s/g/v/n:1/device:cuda").message, illegal);
  EXPECT_EQ(run(group, "s/g/v/n:2/device:cuda").message,
            "its device failed in an earlier case of this process: " + illegal);
}

TEST_F(DeviceCaseTest, ADeviceThatHangsIsNotUsedAgain) {
  // After the host's samples: only torchgate can end their blocking waits.
  device.query_ns = 1'000'000;
  device.flush_ns = always;
  const GroupCases group = described([&](Group& g) {
    g.axis("n", {1, 2});
    g.devices();
    g.sweep("v", kernels());
  });
  const CaseResult first = run(group, "s/g/v/n:1/device:cuda");
  EXPECT_EQ(first.status, CaseStatus::failed);
  EXPECT_EQ(first.message.text().find("the device did not finish flushing its level-2 cache within 30 s"), 0U)
      << first.message;
  EXPECT_TRUE(first.measurements.empty());
  EXPECT_EQ(run(group, "s/g/v/n:2/device:cuda").message.text().find("its device failed in an earlier case"), 0U);
}

TEST_F(DeviceCaseTest, ACaseThatThrowsDoesNotLoseTheDevice) {
  const Factory throws = [](const Args&) -> Timed { throw std::runtime_error("no memory for the model"); };
  const GroupCases group = described([&](Group& g) {
    g.devices();
    g.sweep("bad", throws);
    g.sweep("good", kernels());
  });
  EXPECT_EQ(run(group, "s/g/bad/device:cuda").message, "no memory for the model");
  EXPECT_EQ(run(group, "s/g/good/device:cuda").status, CaseStatus::ok);
}

TEST_F(DeviceCaseTest, ADeviceThatCannotBeHadFails) {
  backend.device_error = base::Error{base::ErrorCode::io, "the CUDA device cannot be used: out of memory"};
  const CaseResult result = run(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda");
  EXPECT_EQ(result.status, CaseStatus::failed);
  EXPECT_EQ(result.message, "the CUDA device cannot be used: out of memory");
}

TEST_F(DeviceCaseTest, WithoutADeviceOfTheBackendTheHostsTimeIsAll) {
  backend.cuda = nullptr;
  const CaseResult result = run(described([&](Group& g) { g.devices().sweep("v", kernels()); }), "s/g/v/device:cuda");
  EXPECT_EQ(result.status, CaseStatus::ok);
  EXPECT_NE(find(result, "time"), nullptr);
  EXPECT_EQ(find(result, "gpu_time_hot"), nullptr);
}

TEST_F(DeviceCaseTest, SurvivesTheJourneyAsJson) {
  const std::vector<GroupCases> groups{described([&](Group& g) { g.devices().graphs().sweep("v", kernels()); })};
  SuiteOptions options;
  options.profile = "quick";
  options.group = "s/g";
  options.filter = "cuda";
  const auto report = measure_report("s", groups, backend, options, clock);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->cases.front().protocol, "cuda-events/1");
  const auto read = record::process_report_from_json(record::to_json(*report), "report");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, *report);
  EXPECT_NE(find(read->results.front(), "gpu_time_graph"), nullptr);
}

}  // namespace
}  // namespace torchgate::bench
