// SPDX-License-Identifier: Apache-2.0
// LibTorch's profiler (Kineto) on a GPU: which kernels a call started, as CUPTI reports them, and what the recording costs. The CPU half is training/trace.
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/cuda.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <set>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::kernel_trace {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;
namespace profiler = torch::autograd::profiler;
using Activity = torch::profiler::impl::ActivityType;

constexpr std::int64_t layers = 3;

struct Model {
  static constexpr std::int64_t rows = 32;
  static constexpr std::int64_t width = 256;
  Mlp mlp;
  Tensor x;

  explicit Model(const Args& args) : mlp({width, width, width, width}, args), x(Inputs(args).normal({rows, width})) {}
};

/// Ends also where the call throws, as it does while it is recorded into a CUDA graph: a profiler that stays on would refuse the next recording.
class Recording {
 public:
  Recording() {
    const profiler::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO);
    const std::set<Activity> activities{Activity::CPU, Activity::CUDA};
    profiler::prepareProfiler(config, activities);
    profiler::enableProfiler(config, activities);
  }
  ~Recording() {
    if (!is_on_) return;
    try {
      (void)profiler::disableProfiler();
    } catch (const std::exception&) {
      return;  // what ended the call is thrown already
    }
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  std::unique_ptr<profiler::ProfilerResult> end() {
    is_on_ = false;
    return profiler::disableProfiler();
  }

 private:
  bool is_on_ = true;
};

/// The kernels in it: the records of the device also have copies, fills and synchronisation.
double kernels_in(const profiler::ProfilerResult& recording) {
  constexpr std::uint8_t kernel = 5;  // Kineto's ActivityType::CONCURRENT_KERNEL, whose header not every LibTorch has
  const auto& events = recording.events();
  return static_cast<double>(std::count_if(events.begin(), events.end(), [](const profiler::KinetoEvent& event) {
    return event.deviceType() == c10::DeviceType::CUDA && event.activityType() == kernel;
  }));
}

// Both wait for the device in the call: the recorded one has to, before the recording ends.
Timed off(const Args& args) {
  return [model = Model(args)]() mutable {
    Tensor y = model.mlp(model.x);
    torch::cuda::synchronize();
    return y;
  };
}

Timed recorded(const Args& args) {
  return [model = Model(args)](Recorder& recorder) mutable {
    Recording recording;
    Tensor y = model.mlp(model.x);
    torch::cuda::synchronize();
    recorder.put("kernels_seen", kernels_in(*recording.end()));
    return y;
  };
}

TORCHGATE_GROUP("kernel_trace") {
  group.axis("device", {"cuda"});
  group.quick(none);

  group.reference("off", off);
  group.variant("recorded", recorded)
      .within(0)
      .measures(count("kernels_seen"))  // how many a layer needs is the libraries' choice
      .proves(metric("kernels_seen") >= layers)
      .claims(time() >= 1.05 * reference());
}

}  // namespace
}  // namespace torchgate::suites::kernel_trace
