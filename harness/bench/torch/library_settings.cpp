// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/torch/library_settings.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ThreadLocalState.h>
#include <ATen/autocast_mode.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/codegen/fuser/interface.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/python/update_graph_executor_opt.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <optional>
#include <string>
#include <utility>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace torchgate::bench {
namespace {

at::Context& context() {
  return at::globalContext();
}

// Absent: the older and the newer setting of a precision disagree, since a case has changed one of them. LibTorch throws then.
template <class Get>
auto value_of(const Get& get) -> std::optional<decltype(get())> {
  try {
    return get();
  } catch (const c10::Error&) {
    return std::nullopt;
  }
}

const char* name_of(at::Float32MatmulPrecision precision) {
  switch (precision) {
    case at::Float32MatmulPrecision::HIGHEST:
      return "highest";
    case at::Float32MatmulPrecision::HIGH:
      return "high";
    case at::Float32MatmulPrecision::MEDIUM:
      return "medium";
  }
  return "highest";
}

// LibTorch sets this mode but does not return it. If it cannot be read, it is assumed to be off, as at the start.
bool flushes_denormals() {
#ifdef __SSE2__
  constexpr unsigned flush_to_zero = 1U << 15;
  constexpr unsigned denormals_are_zero = 1U << 6;
  return (_mm_getcsr() & (flush_to_zero | denormals_are_zero)) != 0;
#else
  return false;
#endif
}

// LibTorch returns the nesting only when it changes it.
int autocast_nesting() {
  (void)at::autocast::increment_nesting();
  return at::autocast::decrement_nesting();
}

void set_autocast_nesting(int wanted) {
  int depth = autocast_nesting();
  while (depth > wanted) depth = at::autocast::decrement_nesting();
  while (depth < wanted) depth = at::autocast::increment_nesting();
}

using Reduction = at::CuBLASReductionOption;

bool allows_reduction(Reduction option) {
  return option == Reduction::AllowReducedPrecisionWithSplitK;
}
bool allows_split_k(Reduction option) {
  return option != Reduction::DisallowReducedPrecisionDisallowSplitK;
}

}  // namespace

template <class Get, class Set>
void LibrarySettings::keep(Get get, Set set) {
  const auto value = value_of(get);
  if (!value) return;  // the newer settings, which are kept, too, decide
  restorers_.emplace_back([get, set, value = *value] {
    if (value_of(get) != value) set(value);
  });
}

template <class Get, class Set>
void LibrarySettings::keep_in_context(Get get, Set set) {
  keep([get] { return (context().*get)(); }, [set](const auto& value) { (context().*set)(value); });
}

// First the thread's state as a whole, so that the other settings are restored under the original dispatch keys.
LibrarySettings::LibrarySettings() {
  keep_thread_state();
  keep_autocast();
  keep_threads();
  keep_float32_precision();
  keep_cuda_libraries();
  keep_attention();
  keep_others();
  keep_script();
}

void LibrarySettings::restore() const {
  for (const auto& restorer : restorers_) restorer();
}

// Modes of autograd, and the dispatch keys in which inference mode and autocast are kept. States cannot be compared.
void LibrarySettings::keep_thread_state() {
  restorers_.emplace_back([state = at::ThreadLocalState()] { at::ThreadLocalState::setThreadLocalState(state); });
}

void LibrarySettings::keep_autocast() {
  for (const at::DeviceType device : {at::kCPU, at::kCUDA}) {
    keep([device] { return at::autocast::is_autocast_enabled(device); },
         [device](bool on) { at::autocast::set_autocast_enabled(device, on); });
    keep([device] { return at::autocast::get_autocast_dtype(device); },
         [device](at::ScalarType dtype) { at::autocast::set_autocast_dtype(device, dtype); });
  }
  keep(&at::autocast::is_autocast_cache_enabled, &at::autocast::set_autocast_cache_enabled);
  keep(&autocast_nesting, &set_autocast_nesting);
  restorers_.emplace_back(&at::autocast::clear_cache);  // converted weights of the previous case
}

void LibrarySettings::keep_threads() {
  keep(&at::get_num_threads, &at::set_num_threads);
  keep(&flushes_denormals, [](bool on) { (void)at::Context::setFlushDenormal(on); });
}

// The two older settings also write some of the pairs, which therefore come last, from the general to the special.
void LibrarySettings::keep_float32_precision() {
  keep([] { return context().float32MatmulPrecision(); },
       [](auto precision) { context().setFloat32MatmulPrecision(name_of(precision)); });
  keep([] { return context().allowTF32CuDNN(); }, [](bool allow) { context().setAllowTF32CuDNN(allow); });
  using Backend = at::Float32Backend;
  using Op = at::Float32Op;
  const auto keep_pair = [this](Backend backend, Op op) {
    keep([backend, op] { return context().float32Precision(backend, op); },
         [backend, op](auto precision) { context().setFloat32Precision(backend, op, precision); });
  };
  keep_pair(Backend::GENERIC, Op::ALL);
  for (const Backend backend : {Backend::MKLDNN, Backend::CUDA}) {
    for (const Op op : {Op::ALL, Op::CONV, Op::RNN, Op::MATMUL}) keep_pair(backend, op);
  }
}

void LibrarySettings::keep_cuda_libraries() {
  using at::Context;
  keep_in_context(&Context::userEnabledCuDNN, &Context::setUserEnabledCuDNN);
  keep_in_context(&Context::benchmarkCuDNN, &Context::setBenchmarkCuDNN);
  keep_in_context(&Context::benchmarkLimitCuDNN, &Context::setBenchmarkLimitCuDNN);
  keep_in_context(&Context::deterministicCuDNN, &Context::setDeterministicCuDNN);
  keep_in_context(&Context::allowFP16AccumulationCuBLAS, &Context::setAllowFP16AccumulationCuBLAS);
  keep_in_context(&Context::_SMCarveout_EXPERIMENTAL, &Context::_setSMCarveout_EXPERIMENTAL);
  keep([] { return context().allowFP16ReductionCuBLAS(); },
       [](Reduction option) {
         context().setAllowFP16ReductionCuBLAS(allows_reduction(option), allows_split_k(option));
       });
  keep([] { return context().allowBF16ReductionCuBLAS(); },
       [](Reduction option) {
         context().setAllowBF16ReductionCuBLAS(allows_reduction(option), allows_split_k(option));
       });
  keep_in_context(&Context::linalgPreferredBackend, &Context::setLinalgPreferredBackend);
  keep_in_context(&Context::blasPreferredBackend, &Context::setBlasPreferredBackend);
}

void LibrarySettings::keep_attention() {
  using at::Context;
  keep_in_context(&Context::userEnabledFlashSDP, &Context::setSDPUseFlash);
  keep_in_context(&Context::userEnabledFA3SDP, &Context::setSDPUseFA3);
  keep_in_context(&Context::userEnabledMemEfficientSDP, &Context::setSDPUseMemEfficient);
  keep_in_context(&Context::userEnabledMathSDP, &Context::setSDPUseMath);
  keep_in_context(&Context::userEnabledCuDNNSDP, &Context::setSDPUseCuDNN);
  keep_in_context(&Context::userEnabledOverrideableSDP, &Context::setSDPUseOverrideable);
  keep_in_context(&Context::allowFP16BF16ReductionMathSDP, &Context::setAllowFP16BF16ReductionMathSDP);
  keep(
      [] {
        std::vector<std::int64_t> order;
        for (const at::SDPBackend backend : context().sDPPriorityOrder()) {
          order.push_back(static_cast<std::int64_t>(backend));
        }
        return order;
      },
      [](const std::vector<std::int64_t>& order) { context().setSDPPriorityOrder(order); });
}

void LibrarySettings::keep_others() {
  using at::Context;
  keep(&c10::get_default_dtype, &c10::set_default_dtype);
  keep([] { return std::pair(context().deterministicAlgorithms(), context().deterministicAlgorithmsWarnOnly()); },
       [](const std::pair<bool, bool>& on) { context().setDeterministicAlgorithms(on.first, on.second); });
  keep_in_context(&Context::deterministicFillUninitializedMemory, &Context::setDeterministicFillUninitializedMemory);
  keep_in_context(&Context::userEnabledMkldnn, &Context::setUserEnabledMkldnn);
  keep_in_context(&Context::deterministicMkldnn, &Context::setDeterministicMkldnn);
  keep_in_context(&Context::userEnabledNNPACK, &Context::setUserEnabledNNPACK);
  keep_in_context(&Context::allowFP16ReductionCPU, &Context::setAllowFP16ReductionCPU);
  keep_in_context(&Context::qEngine, &Context::setQEngine);
  keep_in_context(&Context::releaseWeightsWhenPrepacking, &Context::setReleaseWeightsWhenPrepacking);
  keep([] { return context().checkSparseTensorInvariants(); },
       [](std::optional<bool> on) { context().setCheckSparseTensorInvariants(on); });
}

void LibrarySettings::keep_script() {
  using namespace torch::jit;
  keep([] { return getExecutorMode().load(); }, [](bool on) { getExecutorMode() = on; });
  keep([] { return getProfilingMode().load(); }, [](bool on) { getProfilingMode() = on; });
  keep([] { return getNumProfiledRuns().load(); }, [](std::size_t runs) { getNumProfiledRuns() = runs; });
  keep(&getGraphExecutorOptimize, &setGraphExecutorOptimize);
  keep(&tensorExprFuserEnabled, &setTensorExprFuserEnabled);
  keep(&canFuseOnCPU, &overrideCanFuseOnCPU);
  keep(&canFuseOnGPU, &overrideCanFuseOnGPU);
  keep(&getFusionStrategy, [](FusionStrategy strategy) { (void)setFusionStrategy(strategy); });
}

}  // namespace torchgate::bench
