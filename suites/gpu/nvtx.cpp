// SPDX-License-Identifier: Apache-2.0
// NVTX ranges around the phases of a call, which Nsight Systems shows in its time line: what they cost a program that runs without it.
#include <torch/csrc/profiler/stubs/base.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::nvtx {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

/// A range as LibTorch makes them, or nothing. Counts those that it has begun.
class Range {
 public:
  Range(const char* name, bool is_marked, std::int64_t& begun)
      : nvtx_(is_marked ? torch::profiler::impl::cudaStubs() : nullptr) {
    if (nvtx_ == nullptr) return;
    nvtx_->rangePush(name);
    ++begun;
  }
  ~Range() {
    if (nvtx_ != nullptr) nvtx_->rangePop();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  const torch::profiler::impl::ProfilerStubs* nvtx_;
};

constexpr std::int64_t phases = 3;

Timed in_phases(const Args& args, bool is_marked) {
  constexpr std::int64_t rows = 32;
  constexpr std::int64_t width = 256;
  return [model = Mlp({width, width, width, width}, args), x = Inputs(args).normal({rows, width}),
          is_marked](Recorder& recorder) mutable {
    std::int64_t ranges = 0;
    Tensor y;
    {
      const Range range("scale", is_marked, ranges);
      y = torch::tanh(x);
    }
    {
      const Range range("layers", is_marked, ranges);
      y = model(y);
    }
    {
      const Range range("classify", is_marked, ranges);
      y = torch::softmax(y, /*dim=*/1);
    }
    recorder.put("ranges", static_cast<double>(ranges));
    return y;
  };
}

Timed plain(const Args& args) {
  return in_phases(args, /*is_marked=*/false);
}

Timed marked(const Args& args) {
  return in_phases(args, /*is_marked=*/true);
}

// Without a tool that has attached itself, a range is a test of a pointer.
TORCHGATE_GROUP("nvtx") {
  group.axis("device", {"cuda"});
  group.measures(count("ranges"));

  group.reference("plain", plain).proves(metric("ranges") == 0);
  group.variant("marked", marked)
      .within(0)
      .proves(metric("ranges") == phases)
      .claims(metric("operator_calls") <= 1.0 * reference())
      .claims(metric("allocations") <= 1.0 * reference())
      .claims(time() <= 1.2 * reference());
}

}  // namespace
}  // namespace torchgate::suites::nvtx
