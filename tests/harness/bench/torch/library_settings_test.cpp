// SPDX-License-Identifier: Apache-2.0
// Each global setting of LibTorch, changed by one case and read by the next.
#include "harness/bench/torch/library_settings.hpp"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/codegen/fuser/interface.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/python/update_graph_executor_opt.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <limits>
#include <memory>

#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/torch/torch_backend.hpp"
#include "tests/harness/bench/described.hpp"
#include "tests/harness/bench/fakes.hpp"

namespace torchgate::bench {
namespace {

using testing::described;

at::Context& context() {
  return at::globalContext();
}

// LibTorch lets a process start only once.
Backend& backend() {
  static const std::unique_ptr<Backend> only = [] {
    auto started = torch_backend();
    started->start(/*threads=*/1);
    return started;
  }();
  return *only;
}

struct Setting {
  std::string name;
  std::function<void()> change;
  std::function<std::int64_t()> read;
};

void PrintTo(const Setting& setting, std::ostream* out) {
  *out << setting.name;
}

template <class T>
std::int64_t number(T value) {
  return static_cast<std::int64_t>(value);
}

// A switch of at::Context: turned to what it is not.
template <class Get>
Setting flag(const std::string& name, Get get, void (at::Context::*set)(bool)) {
  return {name, [get, set] { (context().*set)(!(context().*get)()); }, [get] { return number((context().*get)()); }};
}

Setting float32(const std::string& name, at::Float32Backend backend, at::Float32Op op, at::Float32Precision to) {
  return {name, [=] { context().setFloat32Precision(backend, op, to); },
          [=] { return number(context().float32Precision(backend, op)); }};
}

Setting autocast(const std::string& name, at::DeviceType device) {
  return {name, [=] { at::autocast::set_autocast_enabled(device, true); },
          [=] { return number(at::autocast::is_autocast_enabled(device)); }};
}

// Half of the smallest normal number: 0 where denormals are flushed.
bool computes_denormals() {
  volatile float smallest = std::numeric_limits<float>::min();
  volatile float half = smallest / 2;
  return half > 0;
}

// What autocast does, beside what it says: it is kept in dispatch keys of the thread.
at::ScalarType dtype_of_product() {
  return at::mm(at::ones({2, 2}, at::kFloat), at::ones({2, 2}, at::kFloat)).scalar_type();
}

int nesting() {
  at::autocast::increment_nesting();
  return at::autocast::decrement_nesting();
}

std::int64_t first_attention_backend() {
  return number(context().sDPPriorityOrder().front());
}

std::vector<Setting> settings_of_the_thread() {
  return {{"intra_op_threads", [] { at::set_num_threads(2); }, [] { return number(at::get_num_threads()); }},
          {"denormals", [] { (void)at::Context::setFlushDenormal(true); }, [] { return number(computes_denormals()); }},
          {"grad_mode", [] { at::GradMode::set_enabled(true); }, [] { return number(at::GradMode::is_enabled()); }},
          {"inference_mode", [] { (void)new c10::InferenceMode(); },  // NOLINT: leaked on purpose
           [] { return number(c10::InferenceMode::is_enabled()); }},
          {"forward_grad_mode", [] { c10::AutogradState::get_tls_state().set_fw_grad_mode(false); },
           [] { return number(c10::AutogradState::get_tls_state().get_fw_grad_mode()); }},
          autocast("autocast_cpu", at::kCPU),
          autocast("autocast_cuda", at::kCUDA),
          {"autocast_dtype", [] { at::autocast::set_autocast_dtype(at::kCPU, at::kHalf); },
           [] { return number(at::autocast::get_autocast_dtype(at::kCPU)); }},
          {"autocast_cache", [] { at::autocast::set_autocast_cache_enabled(false); },
           [] { return number(at::autocast::is_autocast_cache_enabled()); }},
          {"autocast_nesting", [] { at::autocast::increment_nesting(); }, [] { return number(nesting()); }},
          {"product_under_autocast", [] { at::autocast::set_autocast_enabled(at::kCPU, true); },
           [] { return number(dtype_of_product()); }},
          {"default_dtype", [] { c10::set_default_dtype(caffe2::TypeMeta::Make<double>()); },
           [] { return number(c10::get_default_dtype_as_scalartype()); }}};
}

std::vector<Setting> settings_of_precision() {
  using Backend = at::Float32Backend;
  using Op = at::Float32Op;
  using Precision = at::Float32Precision;
  return {
      {"float32_matmul", [] { context().setFloat32MatmulPrecision("medium"); },
       [] { return number(context().float32MatmulPrecision()); }},
      {"float32_matmul_of_cuda", [] { context().setFloat32MatmulPrecision("high"); },
       [] { return number(context().float32Precision(Backend::CUDA, Op::MATMUL)); }},
      {"tf32_cublas", [] { context().setAllowTF32CuBLAS(true); }, [] { return number(context().allowTF32CuBLAS()); }},
      {"tf32_cudnn", [] { context().setAllowTF32CuDNN(!context().allowTF32CuDNN()); },
       [] { return number(context().allowTF32CuDNN()); }},
      float32("float32_generic", Backend::GENERIC, Op::ALL, Precision::TF32),
      float32("float32_mkldnn", Backend::MKLDNN, Op::ALL, Precision::BF16),
      float32("float32_mkldnn_matmul", Backend::MKLDNN, Op::MATMUL, Precision::BF16),
      float32("float32_mkldnn_conv", Backend::MKLDNN, Op::CONV, Precision::BF16),
      float32("float32_cuda_matmul", Backend::CUDA, Op::MATMUL, Precision::TF32),
      {"float32_cuda_conv",
       [] {
         context().setFloat32Precision(Backend::CUDA, Op::CONV,
                                       context().float32Precision(Backend::CUDA, Op::CONV) == Precision::TF32
                                           ? Precision::IEEE
                                           : Precision::TF32);
       },
       [] { return number(context().float32Precision(Backend::CUDA, Op::CONV)); }},
      {"cublas_fp16_reduction", [] { context().setAllowFP16ReductionCuBLAS(false, false); },
       [] { return number(context().allowFP16ReductionCuBLAS()); }},
      {"cublas_bf16_reduction", [] { context().setAllowBF16ReductionCuBLAS(false); },
       [] { return number(context().allowBF16ReductionCuBLAS()); }},
      {"sm_carveout", [] { context()._setSMCarveout_EXPERIMENTAL(7); },
       [] { return number(context()._SMCarveout_EXPERIMENTAL().value_or(0)); }}};
}

std::vector<Setting> settings_of_libraries() {
  using C = at::Context;
  return {
      flag("cudnn", &C::userEnabledCuDNN, &C::setUserEnabledCuDNN),
      flag("cudnn_benchmark", &C::benchmarkCuDNN, &C::setBenchmarkCuDNN),
      {"cudnn_benchmark_limit", [] { context().setBenchmarkLimitCuDNN(3); },
       [] { return number(context().benchmarkLimitCuDNN()); }},
      flag("cudnn_deterministic", &C::deterministicCuDNN, &C::setDeterministicCuDNN),
      flag("cublas_fp16_accumulation", &C::allowFP16AccumulationCuBLAS, &C::setAllowFP16AccumulationCuBLAS),
      flag("mkldnn", &C::userEnabledMkldnn, &C::setUserEnabledMkldnn),
      flag("mkldnn_deterministic", &C::deterministicMkldnn, &C::setDeterministicMkldnn),
      flag("nnpack", &C::userEnabledNNPACK, &C::setUserEnabledNNPACK),
      flag("attention_flash", &C::userEnabledFlashSDP, &C::setSDPUseFlash),
      flag("attention_fa3", &C::userEnabledFA3SDP, &C::setSDPUseFA3),
      flag("attention_efficient", &C::userEnabledMemEfficientSDP, &C::setSDPUseMemEfficient),
      flag("attention_math", &C::userEnabledMathSDP, &C::setSDPUseMath),
      flag("attention_cudnn", &C::userEnabledCuDNNSDP, &C::setSDPUseCuDNN),
      flag("attention_overrideable", &C::userEnabledOverrideableSDP, &C::setSDPUseOverrideable),
      flag("attention_reduction", &C::allowFP16BF16ReductionMathSDP, &C::setAllowFP16BF16ReductionMathSDP),
      {"attention_order",
       [] {
         context().setSDPPriorityOrder({0, 2, 1, 3, 4});
       },
       &first_attention_backend},
      {"deterministic", [] { context().setDeterministicAlgorithms(true, true); },
       [] { return number(context().deterministicAlgorithms()); }},
      {"deterministic_warn_only", [] { context().setDeterministicAlgorithms(false, true); },
       [] { return number(context().deterministicAlgorithmsWarnOnly()); }},
      flag("deterministic_fill", &C::deterministicFillUninitializedMemory, &C::setDeterministicFillUninitializedMemory),
      {"quantized_engine",
       [] { context().setQEngine(context().qEngine() == at::kONEDNN ? at::kNoQEngine : at::kONEDNN); },
       [] { return number(context().qEngine()); }},
      flag("release_weights", &C::releaseWeightsWhenPrepacking, &C::setReleaseWeightsWhenPrepacking),
      {"sparse_invariants", [] { context().setCheckSparseTensorInvariants(true); },
       [] { return number(context().checkSparseTensorInvariants().value_or(false)); }},
      {"script_executor", [] { torch::jit::getExecutorMode() = !torch::jit::getExecutorMode(); },
       [] { return number(torch::jit::getExecutorMode().load()); }},
      {"script_profiling", [] { torch::jit::getProfilingMode() = !torch::jit::getProfilingMode(); },
       [] { return number(torch::jit::getProfilingMode().load()); }},
      {"script_profiled_runs", [] { torch::jit::getNumProfiledRuns() = 5; },
       [] { return number(torch::jit::getNumProfiledRuns().load()); }},
      {"script_optimize", [] { torch::jit::setGraphExecutorOptimize(!torch::jit::getGraphExecutorOptimize()); },
       [] { return number(torch::jit::getGraphExecutorOptimize()); }},
      {"script_fuser", [] { torch::jit::setTensorExprFuserEnabled(!torch::jit::tensorExprFuserEnabled()); },
       [] { return number(torch::jit::tensorExprFuserEnabled()); }},
      {"script_cpu_fusion", [] { torch::jit::overrideCanFuseOnCPU(!torch::jit::canFuseOnCPU()); },
       [] { return number(torch::jit::canFuseOnCPU()); }}};
}

std::vector<Setting> all_settings() {
  std::vector<Setting> all = settings_of_the_thread();
  for (auto& more : {settings_of_precision(), settings_of_libraries()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Runs both cases of a group as a suite's process does, in this order.
class GlobalSetting : public ::testing::TestWithParam<Setting> {
 protected:
  void run(const std::function<void()>& in_call, const std::function<void()>& next_build) {
    const auto working = [this](const std::function<void()>& work) {
      return [this, work = work]() mutable {
        if (work) std::exchange(work, nullptr)();
        clock.work(ms);
      };
    };
    const GroupCases group = described([&](Group& g) {
      g.sweep("changes", [&](const Args&) -> Timed { return working(in_call); });
      g.sweep("reads", [&](const Args&) -> Timed {
        next_build();
        return working(nullptr);
      });
    });
    const auto instances = group.instances();
    CaseRunner runner(backend(), SamplerSettings{}, clock);
    for (const auto& instance : instances) {
      const auto result = runner.run(group, instance, instances);
      EXPECT_EQ(result.status, record::CaseStatus::ok) << result.message;
    }
  }

  static constexpr std::int64_t ms = 1'000'000;
  testing::FakeClock clock;
};

INSTANTIATE_TEST_SUITE_P(All, GlobalSetting, ::testing::ValuesIn(all_settings()),
                         [](const auto& test) { return test.param.name; });

TEST_P(GlobalSetting, OfOneCaseIsUnchangedInTheNext) {
  backend().prepare(/*seed=*/1, /*training=*/false);
  const std::int64_t before = GetParam().read();
  std::int64_t in_call = before;
  std::int64_t next = before - 1;
  run(
      [&] {
        GetParam().change();
        in_call = GetParam().read();
      },
      [&] { next = GetParam().read(); });
  EXPECT_NE(in_call, before) << "the change has no effect: the test would pass without restoring";
  EXPECT_EQ(next, before);
}

// Of cases that take turns: each has again what it changed itself.
TEST_P(GlobalSetting, IsThatOfItsCaseAgainAtTheNextTurn) {
  backend().prepare(/*seed=*/1, /*training=*/false);
  GetParam().change();
  const std::int64_t own = GetParam().read();
  const auto next_turn = backend().keep_settings();
  backend().prepare(/*seed=*/1, /*training=*/false);
  EXPECT_NE(GetParam().read(), own);
  next_turn();
  EXPECT_EQ(GetParam().read(), own);
  backend().prepare(/*seed=*/1, /*training=*/false);
}

// LibTorch refuses to set it twice, and start() has set it.
TEST_F(GlobalSetting, InterOpThreadsCannotBeChangedByACase) {
  run([] { EXPECT_THROW(at::set_num_interop_threads(2), c10::Error); },
      [] { EXPECT_EQ(at::get_num_interop_threads(), 1); });
}

TEST_F(GlobalSetting, FactsAreNotThoseOfTheLastCase) {
  const auto before = backend().facts();
  context().setQEngine(context().qEngine() == at::kONEDNN ? at::kNoQEngine : at::kONEDNN);
  EXPECT_EQ(backend().facts(), before);
}

}  // namespace
}  // namespace torchgate::bench
