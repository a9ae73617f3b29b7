// SPDX-License-Identifier: Apache-2.0
// The measuring policy on a real device, against what is known about the work. What ci/scripts/gpu_check.sh puts into its
// report is recorded as a property of the test.
#include "harness/bench/torch/cuda_device.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "harness/bench/device/device_sampler.hpp"
#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/torch/tensor_output.hpp"
#include "harness/bench/torch/torch_backend.hpp"
#include "harness/record/sample_summary.hpp"
#include "tests/harness/bench/described.hpp"
#include "tests/harness/bench/torch/timer_spin.hpp"

namespace torchgate::bench {
namespace {

using testing::described;

constexpr std::int64_t mb = std::int64_t{1} << 20;
constexpr std::int64_t ms = 1'000'000;

class CudaDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = torch_backend()->unmet("cuda")) GTEST_SKIP() << *why;
    auto opened = cuda_device();
    ASSERT_TRUE(opened) << opened.error().message;
    device = std::move(opened).value();
  }

  DeviceSampler sampler(DeviceWork call, std::int64_t call_ns = 1 * ms) {
    return {*device, std::move(call), call_ns, DeviceSettings{}, SamplerSettings{}, real_clock()};
  }
  static double median_ns(const DeviceSeries& series) {
    EXPECT_FALSE(series.invalid) << *series.invalid;
    std::vector<double> times;
    for (const DeviceSample& sample : series.samples) times.push_back(sample.ns);
    return times.empty() ? -1 : record::summarize_samples(times).median;
  }
  static std::int64_t host_bound(const DeviceSeries& series) {
    return std::count_if(series.samples.begin(), series.samples.end(), [](const auto& one) { return one.host_bound; });
  }
  static at::Tensor floats(std::int64_t bytes) {
    return at::randn({bytes / static_cast<std::int64_t>(sizeof(float))}, at::device(at::kCUDA));
  }

  std::unique_ptr<Device> device;
};

void put(const std::string& figure, double value) {
  ::testing::Test::RecordProperty(figure, std::to_string(value));
}

TEST_F(CudaDeviceTest, ThereIsADevice) {
  int driver = 0;
  int runtime = 0;
  ASSERT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  ASSERT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  RecordProperty("gpu_name", device->traits().name);
  RecordProperty("cuda_driver_api", driver);
  RecordProperty("cuda_runtime", runtime);
  if (device->traits().expected_clock_mhz) put("expected_clock_mhz", *device->traits().expected_clock_mhz);
}

TEST_F(CudaDeviceTest, EventTimesOfAKernelOfKnownDurationAreWithinTwoPercent) {
#ifndef TORCHGATE_WITH_NVCC
  GTEST_SKIP() << "built without nvcc: there is no kernel of known duration";
#else
  // Launching and ending a kernel is in an event's time, too: a few microseconds, within 2 % of these.
  double worst = 0;
  for (const double ns : {1e6, 5e6}) {
    auto of = sampler([ns] {
      const auto stream = c10::cuda::getCurrentCUDAStream().stream();
      ASSERT_EQ(testing::queue_spin(static_cast<unsigned long long>(ns), stream), cudaSuccess);
    });
    const DeviceSeries hot = of.hot();
    const double hot_error = median_ns(hot) / ns - 1;
    const double cold_error = median_ns(of.cold()) / ns - 1;
    worst = std::max({worst, std::abs(hot_error), std::abs(cold_error)});
    EXPECT_NEAR(hot_error, 0, 0.02) << ns << " ns";
    EXPECT_NEAR(cold_error, 0, 0.02) << ns << " ns";
    EXPECT_EQ(host_bound(hot), 0);
  }
  put("known_duration_error", worst);
#endif
}

TEST_F(CudaDeviceTest, AColdCopyOf32MegabytesIsSlowerThanAHotOne) {
  int l2_bytes = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), cudaSuccess);
  if (l2_bytes < 40 * mb) GTEST_SKIP() << "its level-2 cache of " << l2_bytes / mb << " MB does not hold 32 MB";
  const at::Tensor from = floats(16 * mb);
  at::Tensor to = floats(16 * mb);
  auto of = sampler([&] { to.copy_(from); });
  const double ratio = median_ns(of.cold()) / median_ns(of.hot());
  put("cold_over_hot_copy", ratio);
  EXPECT_GT(ratio, 1.1) << "read and written: 32 MB";
}

TEST_F(CudaDeviceTest, TheClockIsReadAndPlausible) {
  if (device->traits().clock_unknown) GTEST_SKIP() << *device->traits().clock_unknown;
  ASSERT_TRUE(device->traits().expected_clock_mhz) << "the device does not say its highest clock";
  at::Tensor x = floats(64 * mb);
  const DeviceSeries hot = sampler([&] { x.mul_(x); }).hot();
  ASSERT_FALSE(hot.samples.empty()) << hot.invalid.value_or("");
  for (const DeviceSample& sample : hot.samples) {
    ASSERT_TRUE(sample.clock_mhz);
    EXPECT_GE(*sample.clock_mhz, 0.74 * *device->traits().expected_clock_mhz);
    EXPECT_LE(*sample.clock_mhz, 1.10 * *device->traits().expected_clock_mhz);
  }
}

TEST_F(CudaDeviceTest, ShortKernelsAreBatchedAndNotHostBound) {
  at::Tensor x = floats(4096);
  const DeviceSeries hot = sampler([&] { x.mul_(x); }, 10'000).hot();
  EXPECT_GT(hot.calls_per_sample, 1);
  EXPECT_LT(host_bound(hot), static_cast<std::int64_t>(hot.samples.size() / 10));
}

TEST_F(CudaDeviceTest, ACallThatWaitsForTheDeviceIsHostBound) {
  const at::Tensor x = floats(16 * mb);
  const DeviceSeries hot = sampler([&] { (void)x.sum().item<float>(); }).hot();
  EXPECT_EQ(host_bound(hot), static_cast<std::int64_t>(hot.samples.size()));
}

TEST_F(CudaDeviceTest, AGraphHasTheKernelsOfItsCallsAndIsReplayed) {
  at::Tensor x = floats(256 * mb);
  auto of = sampler([&] { x.mul_(x).mul_(x); });
  const GraphSeries graph = of.graph();
  EXPECT_EQ(graph.nodes, 20) << "ten calls of two kernels";
  EXPECT_NEAR(median_ns(graph.replays) / median_ns(of.hot()), 1, 0.1) << "long kernels: the graph gains nothing";
  EXPECT_GT(graph.build_ns, 0);
}

TEST_F(CudaDeviceTest, WhatCannotBeCapturedIsAnErrorAndTheDeviceStaysUsable) {
  at::Tensor x = floats(1 * mb);
  EXPECT_THROW((void)sampler([&] { (void)x.sum().item<float>(); }).graph(), std::runtime_error);
  EXPECT_EQ(device->lost(), std::nullopt);
  EXPECT_GT(median_ns(sampler([&] { x.mul_(x); }).hot()), 0);
  EXPECT_EQ(sampler([&] { x.mul_(x); }).graph().nodes, 10) << "nothing of the failed capture is left";
}

class CudaCaseTest : public CudaDeviceTest {
 protected:
  void SetUp() override {
    CudaDeviceTest::SetUp();
    if (IsSkipped()) return;
    // Once per process: LibTorch's allocator is replaced, and inter-operator threads can be set only once.
    static const std::unique_ptr<Backend> only = [] {
      auto made = torch_backend();
      made->start(1);
      return made;
    }();
    backend = only.get();
  }
  record::CaseResult run(const GroupCases& group) {
    const auto instances = group.instances();
    CaseRunner runner(*backend, quick_settings(), real_clock());
    return runner.run(group, instances.back(), instances);
  }

  Observation observe(std::function<void()> call) {
    return backend->observe("cuda", {[] {}, std::move(call)});
  }

  Backend* backend = nullptr;
};

TEST_F(CudaCaseTest, PeakBytesRepeatTenTimesToTheByte) {
  const at::Tensor a = at::randn({512, 512}, at::device(at::kCUDA));
  const auto call = [&] { (void)at::relu(at::mm(a, a).add_(1)).sum(); };
  call();
  std::set<std::int64_t> peaks;
  std::set<std::int64_t> bytes;
  for (int i = 0; i < 10; ++i) {
    const Observation seen = observe(call);
    peaks.insert(seen.peak_bytes.value());
    bytes.insert(seen.allocated_bytes.value());
  }
  put("peak_bytes", static_cast<double>(*peaks.begin()));
  put("peak_bytes_values_in_10_runs", static_cast<double>(peaks.size()));
  EXPECT_EQ(peaks.size(), 1U);
  EXPECT_EQ(bytes.size(), 1U);
  EXPECT_GE(*peaks.begin(), 2 * 512 * 512 * 4) << "the product and its relu";
}

TEST_F(CudaCaseTest, PeakBytesDoNotDependOnWhatWasCachedBefore) {
  const auto empty = [](std::int64_t bytes) { return at::empty({bytes / 4}, at::device(at::kCUDA)); };
  const auto call = [&] { (void)empty(3 * mb / 2); };
  c10::cuda::CUDACachingAllocator::emptyCache();
  const std::int64_t fresh = observe(call).peak_bytes.value();
  EXPECT_EQ(fresh, 3 * mb / 2);
  // Of a segment of 20 MB these leave 1.75 MB: too little to be split again, and handed out whole.
  c10::cuda::CUDACachingAllocator::emptyCache();
  const at::Tensor first = empty(9 * mb);
  const at::Tensor second = empty(37 * mb / 4);
  EXPECT_EQ(observe(call).peak_bytes, fresh);
}

TEST_F(CudaCaseTest, LaunchesAndCopiesAreCounted) {
  at::Tensor x = floats(1 * mb);
  const at::Tensor y = floats(1 * mb);
  const Observation seen = observe([&] { x.mul_(y).add_(y).copy_(y); });
  EXPECT_EQ(seen.kernel_launches, 2) << seen.launches_unknown.value_or("");
  EXPECT_EQ(seen.device_copies, 1);
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(observe([&] { x.mul_(y).add_(y).copy_(y); }).kernel_launches, 2);
  }
}

TEST_F(CudaCaseTest, LaunchesOfACallThatWaitsAreUnknownAndNothingBreaks) {
  at::Tensor x = floats(1 * mb);
  const Observation seen = observe([&] { (void)x.sum().item<float>(); });
  EXPECT_EQ(seen.kernel_launches, std::nullopt);
  EXPECT_NE(seen.launches_unknown, std::nullopt);
  EXPECT_EQ(device->lost(), std::nullopt);
  EXPECT_TRUE(at::isfinite(at::rand({1000}, at::device(at::kCUDA)).sum()).item<bool>()) << "random numbers still work";
  EXPECT_EQ(observe([&] { x.mul_(x); }).kernel_launches, 1);
}

TEST_F(CudaCaseTest, FullFloat32IsNotTf32) {
  // 1 + 2^-12 is 1 in TF32, whose mantissa has ten bits.
  const at::Tensor a = at::full({256, 256}, 1 + 1.0 / 4096, at::device(at::kCUDA));
  EXPECT_GT(at::mm(a, a)[0][0].item<double>(), 256.1);
  const at::Tensor image = at::full({1, 64, 32, 32}, 1 + 1.0 / 4096, at::device(at::kCUDA));
  const at::Tensor kernel = at::full({64, 64, 1, 1}, 1.0, at::device(at::kCUDA));
  EXPECT_GT(at::conv2d(image, kernel)[0][0][0][0].item<double>(), 64.01);
}

TEST_F(CudaCaseTest, ACaseHasHostTimeAndDeviceTimes) {
  const Factory matmul = [](const Args&) -> Timed {
    return [a = at::randn({1024, 1024}, at::device(at::kCUDA))] { return at::mm(a, a); };
  };
  const record::CaseResult result = run(described([&](Group& g) { g.devices().graphs().sweep("mm", matmul); }));
  ASSERT_EQ(result.status, record::CaseStatus::ok) << result.message;
  std::set<std::string> seen;
  for (const record::Measurement& m : result.measurements) seen.insert(m.metric);
  for (const char* metric : {"time", "gpu_time_cold", "gpu_time_hot", "gpu_time_graph", "graph_nodes", "peak_bytes",
                             "kernel_launches", "device_copies"}) {
    EXPECT_EQ(seen.count(metric), 1U) << metric << "; " << result.message;
  }
}

TEST_F(CudaCaseTest, ACaseWithoutEnoughMemoryFailsAloneOnItsDevice) {
  const Factory too_much = [](const Args&) -> Timed {
    return [x = at::empty({std::int64_t{1} << 44}, at::device(at::kCUDA))] { return x; };
  };
  const record::CaseResult result = run(described([&](Group& g) { g.devices().sweep("v", too_much); }));
  EXPECT_EQ(result.status, record::CaseStatus::failed);
  EXPECT_NE(result.message.text().find("out of memory"), std::string::npos) << result.message;
  EXPECT_EQ(device->lost(), std::nullopt);
}

}  // namespace
}  // namespace torchgate::bench
