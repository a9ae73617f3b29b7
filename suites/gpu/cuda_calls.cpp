// SPDX-License-Identifier: Apache-2.0
#include "suites/gpu/cuda_calls.hpp"

#include <torch/cuda.h>

#ifdef TORCHGATE_WITH_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGreenContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <torch/csrc/cuda/memory_snapshot.h>
#endif

#include <algorithm>
#include <cmath>

namespace torchgate::suites {

#ifdef TORCHGATE_WITH_CUDA

namespace {

constexpr int capability_base = 10;

std::optional<std::string> below_capability(int least) {
  if (!torch::cuda::is_available()) return "no CUDA device";
  const cudaDeviceProp* device = at::cuda::getCurrentDeviceProperties();
  if (device->major * capability_base + device->minor >= least) return std::nullopt;
  return "this device has compute capability " + std::to_string(device->major) + "." + std::to_string(device->minor);
}

}  // namespace

std::size_t device_memory() {
  return at::cuda::getCurrentDeviceProperties()->totalGlobalMem;
}

void limit_memory(double share) {
  c10::cuda::CUDACachingAllocator::setMemoryFraction(share, c10::cuda::current_device());
}

void record_memory_history(bool recorded) {
  // An optional string: a literal would select the overload that takes a bool.
  torch::cuda::_record_memory_history(recorded ? std::optional<std::string>("all") : std::nullopt);
}

struct PartOfDevice::Context {
  std::unique_ptr<at::cuda::GreenContext> green;
};

PartOfDevice::PartOfDevice(double share) : context_(std::make_unique<Context>()) {
  const int multiprocessors = at::cuda::getCurrentDeviceProperties()->multiProcessorCount;
  const auto part = static_cast<std::uint32_t>(std::max<long>(1, std::lround(share * multiprocessors)));
  context_->green = at::cuda::GreenContext::create(part, static_cast<std::uint32_t>(c10::cuda::current_device()));
}

void PartOfDevice::run(const std::function<void()>& work) {
  // Both wait for the stream that is current when they are called.
  context_->green->setContext();
  work();
  context_->green->popContext();
}

#else

namespace {

constexpr const char* no_cuda = "no CUDA device: built with a LibTorch without CUDA";

std::optional<std::string> below_capability(int /*least*/) {
  return no_cuda;
}

}  // namespace

std::size_t device_memory() {
  TORCH_CHECK(false, no_cuda);
}

void limit_memory(double /*share*/) {
  TORCH_CHECK(false, no_cuda);
}

void record_memory_history(bool /*recorded*/) {
  TORCH_CHECK(false, no_cuda);
}

struct PartOfDevice::Context {};

PartOfDevice::PartOfDevice(double /*share*/) {
  TORCH_CHECK(false, no_cuda);
}

void PartOfDevice::run(const std::function<void()>& /*work*/) {}

#endif

PartOfDevice::~PartOfDevice() = default;

std::function<std::optional<std::string>()> compute_capability(int least) {
  return [least] { return below_capability(least); };
}

}  // namespace torchgate::suites
