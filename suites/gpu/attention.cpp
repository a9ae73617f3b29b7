// SPDX-License-Identifier: Apache-2.0
// Attention by each of the kernels that LibTorch has for BF16 on a device: the definition, memory-efficient, flash, and cuDNN's.
#include <ATen/Context.h>

#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/gpu/cuda_calls.hpp"

namespace torchgate::suites::attention {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

enum class Kernel { math, efficient, flash, cudnn };

struct Heads {
  Tensor query;
  Tensor key;
  Tensor value;

  explicit Heads(const Args& args) {
    constexpr std::int64_t batch = 2;
    constexpr std::int64_t heads = 8;
    constexpr std::int64_t width = 64;
    const std::vector<std::int64_t> shape{batch, heads, args.number("tokens"), width};
    Inputs inputs(args);
    query = inputs.normal(shape).to(torch::kBFloat16);
    key = inputs.normal(shape).to(torch::kBFloat16);
    value = inputs.normal(shape).to(torch::kBFloat16);
  }
};

// One switch is on: LibTorch has no other kernel to fall back to, and throws if this one cannot run.
Factory attention_by(Kernel kernel) {
  return [kernel](const Args& args) -> Timed {
    at::Context& context = at::globalContext();
    context.setSDPUseMath(kernel == Kernel::math);
    context.setSDPUseMemEfficient(kernel == Kernel::efficient);
    context.setSDPUseFlash(kernel == Kernel::flash);
    context.setSDPUseCuDNN(kernel == Kernel::cudnn);
    return [heads = Heads(args)] { return at::scaled_dot_product_attention(heads.query, heads.key, heads.value); };
  };
}

OperatorCalls calls_of(const std::string& kernel) {
  return calls("aten::_scaled_dot_product_" + kernel).on("BFloat16");
}

constexpr double bf16_error = 2e-2;

TORCHGATE_GROUP("attention") {
  const Axis tokens = group.axis("tokens", {1024});
  group.axis("device", {"cuda"});
  group.items(tokens).needs("compute capability 8.0", compute_capability(80));

  group.reference("math", attention_by(Kernel::math)).proves(calls_of("attention_math") == 1);
  group.variant("efficient", attention_by(Kernel::efficient))
      .within(bf16_error)
      .proves(calls_of("efficient_attention") == 1)
      .claims(metric("peak_bytes") <= 0.2 * reference())
      .claims(time() <= 0.6 * reference());
  group.variant("flash", attention_by(Kernel::flash))
      .within(bf16_error)
      .proves(calls_of("flash_attention") == 1)
      .claims(metric("peak_bytes") <= 0.2 * reference())
      .claims(time() <= 0.6 * reference());
  group.variant("cudnn", attention_by(Kernel::cudnn))
      .within(bf16_error)
      .proves(calls_of("cudnn_attention") == 1)
      .claims(metric("peak_bytes") <= 0.2 * reference())
      .claims(time() <= 0.6 * reference());
}

}  // namespace
}  // namespace torchgate::suites::attention
