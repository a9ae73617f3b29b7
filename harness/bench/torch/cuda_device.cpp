// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/cuda_device.hpp"

#include <ATen/Context.h>
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/cuda/Sleep.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "harness/bench/device/device_settings.hpp"
#include "harness/bench/device/throttle_guard.hpp"
#include "harness/bench/torch/cuda_outcome.hpp"
#ifdef TORCHGATE_WITH_NVCC
#include "harness/bench/torch/clock_stamp.hpp"
#endif

namespace torchgate::bench {
namespace {

// %globaltimer moves in steps of up to a microsecond, depending on the device: the coarsest is assumed.
constexpr double global_timer_step_ns = 1'024;
// at::cuda::sleep() counts cycles. If the clock is unknown: a clock in the range of current devices.
constexpr double assumed_clock_mhz = 1'500;
// In practice every multiprocessor gets a block, although CUDA does not guarantee it; four times as many blocks reach
// all.
constexpr unsigned int blocks_per_multiprocessor = 4;

class CudaDevice final : public Device {
 public:
  CudaDevice() = default;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  // Device memory is allocated once and released with the process: freeing it on a hung device would hang too.
  ~CudaDevice() override = default;

  base::Result<void> open();

  [[nodiscard]] const DeviceTraits& traits() const override { return traits_; }
  [[nodiscard]] std::optional<std::string> lost() override;
  base::Result<void> flush_cache() override;
  base::Result<void> hold(std::int64_t ns) override;
  base::Result<void> stamp_clock(Mark mark) override;
  base::Result<void> record(Mark mark) override { return outcome(cudaEventRecord(event(mark), stream())); }
  base::Result<bool> passed(Mark mark) override;
  base::Result<void> synchronize() override { return outcome(cudaDeviceSynchronize()); }
  base::Result<double> elapsed_ns() override;
  base::Result<std::optional<ClockReading>> clock_between() override;
  void pause(std::int64_t ns) override { std::this_thread::sleep_for(std::chrono::nanoseconds(ns)); }
  base::Result<void> rehearse(const DeviceWork& work) override;
  base::Result<void> capture(const DeviceWork& work) override;
  base::Result<std::int64_t> graph_nodes() override;
  base::Result<void> instantiate() override {
    return caught([this] { graph_->instantiate(); });
  }
  base::Result<void> replay() override {
    return caught([this] { graph_->replay(); });
  }
  void drop_graph() override { graph_.reset(); }

  [[nodiscard]] std::size_t l2_bytes() const { return l2_bytes_; }

 private:
  static constexpr std::size_t marks = 2;
  [[nodiscard]] static cudaStream_t stream() { return c10::cuda::getCurrentCUDAStream().stream(); }
  [[nodiscard]] static std::size_t index(Mark mark) { return mark == Mark::begin ? 0 : 1; }
  [[nodiscard]] cudaEvent_t event(Mark mark) const { return events_[index(mark)]; }
  base::Result<void> provide_flush_buffer();

  DeviceTraits traits_;
  std::size_t l2_bytes_ = 0;
  unsigned int multiprocessors_ = 0;
  std::array<cudaEvent_t, marks> events_{};
  void* flush_buffer_ = nullptr;
  std::optional<c10::cuda::CUDAStream> capture_stream_;
  std::unique_ptr<at::cuda::CUDAGraph> graph_;
#ifdef TORCHGATE_WITH_NVCC
  ClockStamp* stamps_ = nullptr;  // of both marks, in device memory
#endif
};

base::Result<void> CudaDevice::open() {
  int device = 0;
  if (auto found = outcome(cudaGetDevice(&device)); !found) return found;
  cudaDeviceProp properties{};
  if (auto asked = outcome(cudaGetDeviceProperties(&properties, device)); !asked) return asked;
  traits_.name = properties.name;
  traits_.timer_step_ns = global_timer_step_ns;
  l2_bytes_ = static_cast<std::size_t>(std::max(0, properties.l2CacheSize));
  multiprocessors_ = static_cast<unsigned int>(std::max(1, properties.multiProcessorCount));

  const auto told = locked_clock_mhz(std::getenv(locked_clock_variable));
  if (!told) return told.error();
  traits_.expected_clock_mhz = *told;
  int khz = 0;
  if (!traits_.expected_clock_mhz && cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device) == cudaSuccess &&
      khz > 0) {
    constexpr double khz_per_mhz = 1e3;
    traits_.expected_clock_mhz = khz / khz_per_mhz;
  }
  for (cudaEvent_t& one : events_) {
    if (auto made = outcome(cudaEventCreate(&one)); !made) return made;
  }
#ifdef TORCHGATE_WITH_NVCC
  return outcome(cudaMalloc(&stamps_, marks * most_multiprocessors * sizeof(ClockStamp)));
#else
  traits_.clock_unknown = "built without nvcc";
  return {};
#endif
}

std::optional<std::string> CudaDevice::lost() {
  return cuda_lost();
}

base::Result<void> CudaDevice::provide_flush_buffer() {
  // Not from LibTorch's allocator: its counts are metrics of the case.
  cudaError_t code = cudaMalloc(&flush_buffer_, flush_bytes(l2_bytes_));
  if (code == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    c10::cuda::CUDACachingAllocator::emptyCache();  // it caches memory that earlier cases freed
    code = cudaMalloc(&flush_buffer_, flush_bytes(l2_bytes_));
  }
  if (code != cudaSuccess) flush_buffer_ = nullptr;
  return outcome(code);
}

base::Result<void> CudaDevice::flush_cache() {
  if (flush_buffer_ == nullptr) {
    if (auto provided = provide_flush_buffer(); !provided) return provided;
  }
  return outcome(cudaMemsetAsync(flush_buffer_, 0, flush_bytes(l2_bytes_), stream()));
}

base::Result<void> CudaDevice::hold(std::int64_t ns) {
  constexpr double mhz_per_cycle_per_ns = 1e3;
  const double cycles_per_ns = traits_.expected_clock_mhz.value_or(assumed_clock_mhz) / mhz_per_cycle_per_ns;
  return caught([&] { at::cuda::sleep(std::llround(static_cast<double>(ns) * cycles_per_ns)); });
}

base::Result<void> CudaDevice::stamp_clock(Mark mark) {
#ifdef TORCHGATE_WITH_NVCC
  return outcome(queue_clock_stamps(stamps_ + index(mark) * most_multiprocessors,
                                    blocks_per_multiprocessor * multiprocessors_, stream()));
#else
  (void)mark;
  return {};
#endif
}

base::Result<bool> CudaDevice::passed(Mark mark) {
  const cudaError_t code = cudaEventQuery(event(mark));
  if (code == cudaSuccess) return true;
  if (code != cudaErrorNotReady) return error_of(code);
  (void)cudaGetLastError();
  return false;
}

base::Result<double> CudaDevice::elapsed_ns() {
  constexpr double ns_per_ms = 1e6;
  float ms = 0;
  if (auto read = outcome(cudaEventElapsedTime(&ms, event(Mark::begin), event(Mark::end))); !read) return read.error();
  return static_cast<double>(ms) * ns_per_ms;
}

// Any multiprocessor with both stamps is enough.
base::Result<std::optional<ClockReading>> CudaDevice::clock_between() {
#ifdef TORCHGATE_WITH_NVCC
  std::array<ClockStamp, marks * most_multiprocessors> stamps{};
  const auto copied = outcome(cudaMemcpy(stamps.data(), stamps_, sizeof(stamps), cudaMemcpyDeviceToHost));
  if (!copied) return copied.error();
  for (std::size_t i = 0; i < most_multiprocessors; ++i) {
    const ClockStamp& begin = stamps[i];
    const ClockStamp& end = stamps[i + most_multiprocessors];
    if (begin.taken == 0 || end.taken == 0 || end.cycles < begin.cycles || end.timer_ns < begin.timer_ns) continue;
    return std::optional<ClockReading>(
        {static_cast<double>(end.cycles - begin.cycles), static_cast<double>(end.timer_ns - begin.timer_ns)});
  }
#endif
  return std::optional<ClockReading>();
}

// A failed capture stays registered in LibTorch's allocators (capture_end() throws before removing it), with a pointer
// to the graph that is destroyed here: later captures would follow it, and memory would no longer be freed.
void forget_pool(c10::DeviceIndex device, at::cuda::MempoolId_t pool) {
  namespace allocator = c10::cuda::CUDACachingAllocator;
  // It is unknown which of them were registered; the others throw.
  (void)caught([&] { allocator::endAllocateToPool(device, pool); });
  (void)caught([&] { at::getHostAllocator(at::kCUDA)->end_allocate_to_pool(pool); });
  (void)caught([&] { allocator::releasePool(device, pool); });
  (void)caught([&] { at::getHostAllocator(at::kCUDA)->release_pool(pool); });
}

// A graph cannot be captured on the default stream. The side stream waits for the current one, and the other way round.
base::Result<void> CudaDevice::rehearse(const DeviceWork& work) {
  if (!capture_stream_) capture_stream_ = c10::cuda::getStreamFromPool();
  const cudaStream_t outside = stream();
  if (auto done = record(Mark::begin); !done) return done;
  if (auto done = outcome(cudaStreamWaitEvent(capture_stream_->stream(), event(Mark::begin), 0)); !done) return done;
  {
    const c10::cuda::CUDAStreamGuard guard(*capture_stream_);
    work();
    if (auto done = record(Mark::end); !done) return done;
  }
  return outcome(cudaStreamWaitEvent(outside, event(Mark::end), 0));
}

base::Result<void> CudaDevice::capture(const DeviceWork& work) {
  if (!capture_stream_) capture_stream_ = c10::cuda::getStreamFromPool();
  const c10::cuda::CUDAStreamGuard guard(*capture_stream_);
  constexpr bool keep_graph = true;  // so that its nodes can be counted, and instantiated in a separate step
  graph_ = std::make_unique<at::cuda::CUDAGraph>(keep_graph);
  const at::cuda::MempoolId_t pool = at::cuda::graph_pool_handle();
  // Other threads may use CUDA during the capture; LibTorch's own threads do.
  const auto begun = caught([&] { graph_->capture_begin(pool, cudaStreamCaptureModeThreadLocal); });
  const auto worked = begun ? caught(work) : base::Result<void>();
  // Also after a failure: otherwise the stream stays in capture mode.
  const auto ended = begun ? caught([&] { graph_->capture_end(); }) : base::Result<void>();
  if (begun && worked && ended) return {};
  if (!begun || !ended) forget_pool(capture_stream_->device_index(), pool);
  graph_.reset();
  if (!begun) return begun;
  return worked ? ended : worked;
}

base::Result<std::int64_t> CudaDevice::graph_nodes() {
  std::size_t count = 0;
  if (auto read = outcome(cudaGraphGetNodes(graph_->raw_cuda_graph(), nullptr, &count)); !read) return read.error();
  return static_cast<std::int64_t>(count);
}

}  // namespace

base::Result<std::unique_ptr<Device>> cuda_device() {
  auto device = std::make_unique<CudaDevice>();
  if (const auto opened = device->open(); !opened) return opened.error().within("the CUDA device cannot be used");
  return std::unique_ptr<Device>(std::move(device));
}

namespace {

std::string float32_precision(at::Float32Op op) {
  return at::precision2str(at::globalContext().float32Precision(at::Float32Backend::CUDA, op));
}

}  // namespace

// An error that loses the device is returned by every later call; a busy stream is not an error.
std::optional<std::string> cuda_lost() {
  (void)cudaGetLastError();
  cudaError_t state = cudaSuccess;
  // LibTorch calls CUDA to get the current stream, and throws if the device is lost.
  const auto asked = caught([&] { state = cudaStreamQuery(c10::cuda::getCurrentCUDAStream().stream()); });
  if (!asked) return asked.error().message;
  if (state == cudaSuccess) return std::nullopt;
  const base::Error error = error_of(state);
  if (state == cudaErrorNotReady) return std::nullopt;
  return error.message;
}

std::vector<record::Parameter> cuda_facts(const Device& device) {
  const DeviceTraits& traits = device.traits();
  const auto l2_bytes = dynamic_cast<const CudaDevice&>(device).l2_bytes();
  const std::string expected =
      traits.expected_clock_mhz ? std::to_string(std::llround(*traits.expected_clock_mhz)) : "unknown";
  return {{"cuda_device", traits.name},
          {"cuda_l2_bytes", std::to_string(l2_bytes)},
          {"cuda_flush_bytes", std::to_string(flush_bytes(l2_bytes))},
          {"cuda_expected_clock_mhz", expected},
          {"cuda_float32_matmul", float32_precision(at::Float32Op::MATMUL)},
          {"cuda_float32_conv", float32_precision(at::Float32Op::CONV)},
          {"cuda_clock", traits.clock_unknown ? "unknown: " + *traits.clock_unknown : "read on the device"}};
}

}  // namespace torchgate::bench
