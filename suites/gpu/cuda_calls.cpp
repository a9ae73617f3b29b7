// SPDX-License-Identifier: Apache-2.0
#include "suites/gpu/cuda_calls.hpp"

#include <torch/cuda.h>

#ifdef TORCHGATE_WITH_CUDA
#include <ATen/Context.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>
// LibTorch 2.15 has no class for it any more; the CUDA runtime has the functions since 13.1.
#if __has_include(<ATen/cuda/CUDAGreenContext.h>)
#include <ATen/cuda/CUDAGreenContext.h>
#define TORCHGATE_LIBTORCH_HAS_GREEN_CONTEXT
#endif
#include <torch/csrc/cuda/nccl.h>
#endif

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

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
  at::globalContext().lazyInitDevice(at::kCUDA);  // without it the allocator does not have the device yet
  c10::cuda::CUDACachingAllocator::setMemoryFraction(share, c10::cuda::current_device());
}

void all_reduce_of_one(const torch::Tensor& from, torch::Tensor to) {
  std::vector<torch::Tensor> results{std::move(to)};
  torch::cuda::nccl::all_reduce({from}, results);
}

std::int64_t nccl_version() {
  // Of LibTorch: 32 bits of the major version, 16 of the minor one, 16 of the patch.
  constexpr std::uint64_t minor_bit = 16;
  constexpr std::uint64_t major_bit = 32;
  constexpr std::uint64_t part = 0xffff;
  constexpr std::uint64_t decimal = 100;
  const std::uint64_t version = torch::cuda::nccl::version();
  const std::uint64_t major_and_minor = (version >> major_bit) * decimal + ((version >> minor_bit) & part);
  return static_cast<std::int64_t>(major_and_minor * decimal + (version & part));
}

namespace {

std::uint32_t multiprocessors_of(double share) {
  const int all = at::cuda::getCurrentDeviceProperties()->multiProcessorCount;
  return static_cast<std::uint32_t>(std::max<long>(1, std::lround(share * all)));
}

}  // namespace

#ifdef TORCHGATE_LIBTORCH_HAS_GREEN_CONTEXT

struct PartOfDevice::Context {
  std::unique_ptr<at::cuda::GreenContext> green;
};

PartOfDevice::PartOfDevice(double share) : context_(std::make_unique<Context>()) {
  context_->green = at::cuda::GreenContext::create(multiprocessors_of(share),
                                                   static_cast<std::uint32_t>(c10::cuda::current_device()));
}

void PartOfDevice::run(const std::function<void()>& work) {
  // Both wait for the stream that is current when they are called.
  context_->green->setContext();
  work();
  context_->green->popContext();
}

std::optional<std::string> no_green_contexts() {
  return std::nullopt;
}

#elif CUDART_VERSION < 13010

std::optional<std::string> no_green_contexts() {
  return "compiled with the headers of CUDA " + std::to_string(CUDART_VERSION / 1000) + "." +
         std::to_string(CUDART_VERSION % 1000 / 10) + ", whose runtime has no green contexts (13.1 has)";
}

struct PartOfDevice::Context {};

PartOfDevice::PartOfDevice(double share) {
  TORCH_CHECK(false, *no_green_contexts(), ": ", multiprocessors_of(share), " multiprocessors");
}

void PartOfDevice::run(const std::function<void()>& /*work*/) {}

#else

std::optional<std::string> no_green_contexts() {
  return std::nullopt;
}

struct PartOfDevice::Context {
  cudaExecutionContext_t green = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t ready = nullptr;

  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() {
    if (ready != nullptr) (void)cudaEventDestroy(ready);
    if (stream != nullptr) (void)cudaStreamDestroy(stream);
    if (green != nullptr) (void)cudaExecutionCtxDestroy(green);
  }
  // What is enqueued in LATER from now on waits for what is enqueued in EARLIER.
  void order(cudaStream_t earlier, cudaStream_t later) const {
    C10_CUDA_CHECK(cudaEventRecord(ready, earlier));
    C10_CUDA_CHECK(cudaStreamWaitEvent(later, ready, 0));
  }
};

PartOfDevice::PartOfDevice(double share) : context_(std::make_unique<Context>()) {
  const int device = c10::cuda::current_device();
  cudaDevResource whole{};
  cudaDevResource part{};
  unsigned int groups = 1;
  cudaDevResourceDesc_t description = nullptr;
  C10_CUDA_CHECK(cudaDeviceGetDevResource(device, &whole, cudaDevResourceTypeSm));
  C10_CUDA_CHECK(cudaDevSmResourceSplitByCount(&part, &groups, &whole, /*remaining=*/nullptr, /*flags=*/0,
                                               multiprocessors_of(share)));
  C10_CUDA_CHECK(cudaDevResourceGenerateDesc(&description, &part, 1));
  C10_CUDA_CHECK(cudaGreenCtxCreate(&context_->green, description, device, /*flags=*/0));
  C10_CUDA_CHECK(
      cudaExecutionCtxStreamCreate(&context_->stream, context_->green, cudaStreamNonBlocking, /*priority=*/0));
  C10_CUDA_CHECK(cudaEventCreateWithFlags(&context_->ready, cudaEventDisableTiming));
}

void PartOfDevice::run(const std::function<void()>& work) {
  const at::cuda::CUDAStream current = at::cuda::getCurrentCUDAStream();
  context_->order(current, context_->stream);
  {
    const c10::cuda::CUDAStreamGuard guard(at::cuda::getStreamFromExternal(context_->stream, current.device_index()));
    work();
  }
  context_->order(context_->stream, current);
}

#endif

#else

namespace {

std::optional<std::string> below_capability(int /*least*/) {
  return built_without_cuda;
}

}  // namespace

std::size_t device_memory() {
  TORCH_CHECK(false, built_without_cuda);
}

void limit_memory(double /*share*/) {
  TORCH_CHECK(false, built_without_cuda);
}

void all_reduce_of_one(const torch::Tensor& /*from*/, torch::Tensor /*to*/) {
  TORCH_CHECK(false, built_without_cuda);
}

std::int64_t nccl_version() {
  TORCH_CHECK(false, built_without_cuda);
}

std::optional<std::string> no_green_contexts() {
  return built_without_cuda;
}

struct PartOfDevice::Context {};

PartOfDevice::PartOfDevice(double /*share*/) {
  TORCH_CHECK(false, built_without_cuda);
}

void PartOfDevice::run(const std::function<void()>& /*work*/) {}

#endif

PartOfDevice::~PartOfDevice() = default;

std::function<std::optional<std::string>()> compute_capability(int least) {
  return [least] { return below_capability(least); };
}

}  // namespace torchgate::suites
