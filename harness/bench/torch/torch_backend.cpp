// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/torch_backend.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/cuda.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <algorithm>
#include <mutex>

#include "harness/bench/run/cpu_feature.hpp"
#include "harness/bench/torch/counting_allocator.hpp"
#include "harness/bench/torch/library_settings.hpp"
#include "harness/bench/torch/operator_counter.hpp"
#include "harness/bench/torch/operator_profiler.hpp"
#ifdef TORCHGATE_WITH_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>

#include "harness/bench/torch/cuda_device.hpp"
#include "harness/bench/torch/launch_counter.hpp"
#endif

namespace torchgate::bench {
namespace {

constexpr const char* engine_prefix = "qengine:";
constexpr const char* operator_prefix = "operator:";

#ifdef TORCHGATE_WITH_CUDA
// The caching allocator's peak is reset first, so that it is the call's own. Bytes are requested bytes: the blocks that the
// allocator returns for them depend on its cache, and so on earlier cases.
Observation observe_cuda(const CountedCall& call) {
  using c10::CachingAllocator::StatType;
  constexpr auto all = static_cast<std::size_t>(StatType::AGGREGATE);
  at::globalContext().lazyInitDevice(at::kCUDA);  // otherwise a call that allocates nothing has no allocator
  const auto device = c10::cuda::current_device();
  auto* allocator = c10::cuda::CUDACachingAllocator::get();
  call.set_up();
  torch::cuda::synchronize();
  allocator->resetPeakStats(device);
  allocator->resetAccumulatedStats(device);
  const auto before = allocator->getDeviceStats(device);
  call.run();
  torch::cuda::synchronize();
  const auto after = allocator->getDeviceStats(device);
  Observation observation;
  // PYTORCH_ALLOC_CONF=backend:cudaMallocAsync leaves these counts at 0.
  if (allocator->name() == "native") {
    observation.allocations = after.allocation[all].allocated;
    observation.allocated_bytes = after.requested_bytes[all].allocated;
    observation.peak_bytes = after.requested_bytes[all].peak - before.requested_bytes[all].current;
    observation.retained_bytes =
        std::max<std::int64_t>(0, after.requested_bytes[all].current - before.requested_bytes[all].current);
  }
  call.set_up();
  torch::cuda::synchronize();
  const auto launches = count_launches(call.run);
  if (launches) {
    observation.kernel_launches = launches->kernels;
    observation.device_copies = launches->copies;
  } else {
    observation.launches_unknown = launches.error().message;
  }
  return observation;
}

// The reason: no driver, a driver that is too old for this LibTorch, or no device.
std::optional<std::string> missing_cuda_device() {
  int count = 0;
  const cudaError_t answer = cudaGetDeviceCount(&count);
  (void)cudaGetLastError();
  if (answer != cudaSuccess) return std::string("no CUDA device: ") + cudaGetErrorString(answer);
  if (count == 0 || !torch::cuda::is_available()) return "no CUDA device";
  return std::nullopt;
}

// By default LibTorch uses TF32 for convolutions on devices that support it, but a case called fp32 must use FP32,
// because other cases are compared with it. A case of TF32 enables it when it is built.
void use_full_float32() {
  auto& context = at::globalContext();
  // Sets both of LibTorch's interfaces: it throws if they disagree.
  context.setFloat32MatmulPrecision("highest");
  context.setAllowTF32CuDNN(false);
  context.setFloat32Precision(at::Float32Backend::CUDA, at::Float32Op::CONV, at::Float32Precision::IEEE);
  context.setFloat32Precision(at::Float32Backend::CUDA, at::Float32Op::RNN, at::Float32Precision::IEEE);
}
#endif

Observation observe_host(const CountedCall& call) {
  call.set_up();
  start_counting_allocations();
  try {
    call.run();
  } catch (...) {
    stop_counting_allocations();
    throw;
  }
  const AllocationCounts counted = stop_counting_allocations();
  Observation observation;
  observation.allocations = counted.allocations;
  observation.allocated_bytes = counted.bytes;
  observation.peak_bytes = counted.peak_bytes;
  observation.retained_bytes = counted.retained_bytes;
  return observation;
}

class TorchBackend final : public Backend {
 public:
  void start(int threads) override {
    install_counting_allocator();
    at::set_num_threads(threads);
    at::set_num_interop_threads(1);
#ifdef TORCHGATE_WITH_CUDA
    use_full_float32();
#endif
    settings_.emplace();
  }

  // Facts describe the process, not the settings that its last case left.
  [[nodiscard]] std::vector<record::Parameter> facts() const override {
    if (settings_) settings_->restore();
    std::vector<record::Parameter> facts{
        {"libtorch_version", TORCH_VERSION},
        {"libtorch_build", at::show_config()},
        {"cpu_capability", at::get_cpu_capability()},
        {"inter_op_threads", std::to_string(at::get_num_interop_threads())},
        {"quantized_engine", c10::toString(at::globalContext().qEngine())},
        {"cuda_devices", std::to_string(static_cast<int>(torch::cuda::device_count()))}};
#ifdef TORCHGATE_WITH_CUDA
    if (cuda_) {
      const auto of_device = cuda_facts(*cuda_);
      facts.insert(facts.end(), of_device.begin(), of_device.end());
    }
#endif
    return facts;
  }

  [[nodiscard]] std::optional<std::string> unmet(const std::string& requirement) const override {
    if (requirement == "cuda") {
#ifndef TORCHGATE_WITH_CUDA
      return "no CUDA device: built with a LibTorch without CUDA";
#else
      return missing_cuda_device();
#endif
    }
    if (requirement.rfind(engine_prefix, 0) == 0) {
      const std::string wanted = requirement.substr(std::string(engine_prefix).size());
      for (const auto engine : at::globalContext().supportedQEngines()) {
        if (wanted == c10::toString(engine)) return std::nullopt;
      }
      return "this LibTorch has no quantized engine " + wanted;
    }
    if (requirement.rfind(operator_prefix, 0) == 0) {
      const std::string wanted = requirement.substr(std::string(operator_prefix).size());
      if (c10::Dispatcher::singleton().findSchema({wanted, ""})) return std::nullopt;
      return "this LibTorch has no operator " + wanted;
    }
    return missing_cpu_feature(requirement);
  }

  void prepare(std::uint64_t seed, bool training) override {
    if (settings_) settings_->restore();
    seed_all(seed);
    at::GradMode::set_enabled(training);
  }

  [[nodiscard]] std::function<void()> keep_settings() const override {
    return [now = std::make_shared<LibrarySettings>()] { now->restore(); };
  }

  void synchronize(const std::string& device) override {
    if (device == "cuda") torch::cuda::synchronize();
  }

#ifdef TORCHGATE_WITH_CUDA
  void give_memory_back(const std::string& device) override {
    if (device == "cuda" && torch::cuda::is_available()) c10::cuda::CUDACachingAllocator::emptyCache();
  }

  base::Result<Device*> device(const std::string& name) override {
    if (name != "cuda") return nullptr;
    if (!cuda_) {
      auto opened = cuda_device();
      if (!opened) return opened.error();
      cuda_ = std::move(opened).value();
    }
    return cuda_.get();
  }

  std::optional<std::string> lost(const std::string& name) override {
    if (name != "cuda" || !torch::cuda::is_available()) return std::nullopt;
    auto why = cuda_lost();
    cuda_lost_ = cuda_lost_ || why;
    return why;
  }
#endif

  Observation observe(const std::string& device, const CountedCall& call) override {
    // Memory is counted first, without the operator counter: LibTorch's callbacks keep references to the inputs.
    Observation observation;
#ifdef TORCHGATE_WITH_CUDA
    observation = device == "cuda" ? observe_cuda(call) : observe_host(call);
#else
    (void)device;
    observation = observe_host(call);
#endif
    call.set_up();
    const OperatorCounter counter;
    call.run();
    observation.operator_calls = counter.by_name();
    observation.total_operator_calls = counter.total();
    observation.collective_calls = counter.collectives();
    observation.collective_bytes = counter.collective_bytes();
    return observation;
  }

  base::Boxed<record::OperatorProfile> profile(const std::function<void()>& call, std::int64_t calls) override {
    return profile_operators(call, calls);
  }

 private:
  // With a lost device the generators of CUDA throw, and cases of the CPU have nothing to do with it.
  void seed_all(std::uint64_t seed) {
    if (!cuda_lost_) {
      torch::manual_seed(seed);
      return;
    }
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    const std::scoped_lock lock(generator.mutex());
    generator.set_current_seed(seed);
  }

  bool cuda_lost_ = false;
  std::optional<LibrarySettings> settings_;  // of start()
#ifdef TORCHGATE_WITH_CUDA
  std::unique_ptr<Device> cuda_;  // from the first case that is timed on it
#endif
};

}  // namespace

std::unique_ptr<Backend> torch_backend() {
  return std::make_unique<TorchBackend>();
}

}  // namespace torchgate::bench
