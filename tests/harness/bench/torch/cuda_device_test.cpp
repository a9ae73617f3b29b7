// SPDX-License-Identifier: Apache-2.0
// The measuring policy on a real device, against what is known about the work.
#include "harness/bench/torch/cuda_device.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <algorithm>
#include <set>

#include "harness/bench/case_runner.hpp"
#include "harness/bench/device/device_sampler.hpp"
#include "harness/bench/torch/tensor_output.hpp"
#include "harness/bench/torch/torch_backend.hpp"
#include "harness/summary/sample_summary.hpp"
#include "tests/harness/bench/torch/timer_spin.hpp"

namespace torchgate::bench {
namespace {

constexpr std::int64_t mb = std::int64_t{1} << 20;
constexpr std::int64_t ms = 1'000'000;

class CudaDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
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
    return times.empty() ? -1 : summary::summarize_samples(times).median;
  }
  static std::int64_t host_bound(const DeviceSeries& series) {
    return std::count_if(series.samples.begin(), series.samples.end(), [](const auto& one) { return one.host_bound; });
  }
  static at::Tensor floats(std::int64_t bytes) {
    return at::randn({bytes / static_cast<std::int64_t>(sizeof(float))}, at::device(at::kCUDA));
  }

  std::unique_ptr<Device> device;
};

TEST_F(CudaDeviceTest, EventTimesOfAKernelOfKnownDurationAreWithinTwoPercent) {
#ifndef TORCHGATE_WITH_NVCC
  GTEST_SKIP() << "built without nvcc: there is no kernel of known duration";
#else
  for (const double ns : {200e3, 2e6}) {
    auto of = sampler([ns] {
      const auto stream = c10::cuda::getCurrentCUDAStream().stream();
      ASSERT_EQ(testing::queue_spin(static_cast<unsigned long long>(ns), stream), cudaSuccess);
    });
    const DeviceSeries hot = of.hot();
    EXPECT_NEAR(median_ns(hot) / ns, 1, 0.02);
    EXPECT_EQ(host_bound(hot), 0);
    EXPECT_NEAR(median_ns(of.cold()) / ns, 1, 0.02);
  }
#endif
}

TEST_F(CudaDeviceTest, AColdCopyOf32MegabytesIsSlowerThanAHotOne) {
  int l2_bytes = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), cudaSuccess);
  if (l2_bytes < 40 * mb) GTEST_SKIP() << "its level-2 cache of " << l2_bytes / mb << " MB does not hold 32 MB";
  const at::Tensor from = floats(16 * mb);
  at::Tensor to = floats(16 * mb);
  auto of = sampler([&] { to.copy_(from); });
  EXPECT_GT(median_ns(of.cold()), 1.1 * median_ns(of.hot())) << "read and written: 32 MB";
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
  at::Tensor x = floats(16 * mb);
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
  record::CaseResult run(const Group& group) {
    const auto instances = group.instances();
    CaseRunner runner(*backend, quick_settings(), real_clock());
    return runner.run(group, instances.back(), instances);
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
    const Observation seen = backend->observe("cuda", call);
    peaks.insert(seen.peak_bytes.value());
    bytes.insert(seen.allocated_bytes.value());
  }
  EXPECT_EQ(peaks.size(), 1U);
  EXPECT_EQ(bytes.size(), 1U);
  EXPECT_GE(*peaks.begin(), 2 * 512 * 512 * 4);
}

TEST_F(CudaCaseTest, ACaseHasHostTimeAndDeviceTimes) {
  const Factory matmul = [](const Args&) -> Timed {
    return [a = at::randn({1024, 1024}, at::device(at::kCUDA))] { return at::mm(a, a); };
  };
  const record::CaseResult result = run(Group("s/g").devices().graphs().sweep("mm", matmul));
  ASSERT_EQ(result.status, record::CaseStatus::ok) << result.message;
  std::set<std::string> seen;
  for (const record::Measurement& m : result.measurements) seen.insert(m.metric);
  for (const char* metric : {"time", "gpu_time_cold", "gpu_time_hot", "gpu_time_graph", "graph_nodes", "peak_bytes"}) {
    EXPECT_EQ(seen.count(metric), 1U) << metric << "; " << result.message;
  }
}

TEST_F(CudaCaseTest, ACaseWithoutEnoughMemoryFailsAloneOnItsDevice) {
  const Factory too_much = [](const Args&) -> Timed {
    return [x = at::empty({std::int64_t{1} << 44}, at::device(at::kCUDA))] { return x; };
  };
  const record::CaseResult result = run(Group("s/g").devices().sweep("v", too_much));
  EXPECT_EQ(result.status, record::CaseStatus::failed);
  EXPECT_NE(result.message.find("out of memory"), std::string::npos) << result.message;
  EXPECT_EQ(device->lost(), std::nullopt);
}

}  // namespace
}  // namespace torchgate::bench
