// SPDX-License-Identifier: Apache-2.0
// Attention: one operator in place of four, and which of LibTorch's kernels that operator chooses.
#include <ATen/Context.h>

#include <cmath>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::attention {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

// --- attention: the matrix of all scores, or blocks of it that stay in the cache ----------------------------------------

struct Attention {
  Tensor query;
  Tensor key;
  Tensor value;
  double scale;

  explicit Attention(const Args& args) {
    constexpr std::int64_t heads = 2;
    constexpr std::int64_t width = 32;
    Inputs inputs(args);
    const std::vector<std::int64_t> shape{1, heads, args.number("tokens"), width};
    query = inputs.normal(shape);
    key = inputs.normal(shape);
    value = inputs.normal(shape);
    scale = 1 / std::sqrt(static_cast<double>(width));
  }
};

Timed attention_by_hand(const Args& args) {
  return [a = Attention(args)] {
    const Tensor scores = torch::matmul(a.query, a.key.transpose(-2, -1)) * a.scale;
    return torch::matmul(torch::softmax(scores, -1), a.value);
  };
}

Timed attention_fused(const Args& args) {
  return [a = Attention(args)] { return at::scaled_dot_product_attention(a.query, a.key, a.value); };
}

TORCHGATE_GROUP("attention") {
  const Axis tokens = group.axis("tokens", {128, 512});
  group.only_full(cpu);  // on the CPU fusion/sdp has the same fused kernel
  group.devices().items(tokens);

  group.reference("by_hand", attention_by_hand);
  group.variant("fused", attention_fused)
      .proves(calls("aten::scaled_dot_product_attention") == 1)
      .proves(calls("aten::_softmax") == 0)
      .claims(metric("peak_bytes") <= 0.5 * reference(), where(cpu, tokens(512)))
      .claims(time() <= 0.95 * reference(), where(cpu, tokens(512)));
}

// --- sdp: the same operator with the kernel chosen by the switches of torch.backends.cuda.sdp_kernel ---------------------

enum class SdpKernel { math, fused };

// The fused kernel is flash attention on the CPU, and the memory-efficient one on CUDA, where flash attention and cuDNN's
// take no FP32.
Factory attention_by(SdpKernel kernel) {
  return [kernel](const Args& args) -> Timed {
    const bool is_fused = kernel == SdpKernel::fused;
    at::globalContext().setSDPUseMath(!is_fused);
    at::globalContext().setSDPUseFlash(is_fused);
    at::globalContext().setSDPUseMemEfficient(is_fused);
    at::globalContext().setSDPUseCuDNN(false);
    return attention_fused(args);
  };
}

TORCHGATE_GROUP("sdp") {
  const Axis tokens = group.axis("tokens", {256});
  group.devices().items(tokens);

  group.reference("math", attention_by(SdpKernel::math)).proves(calls("aten::_scaled_dot_product_attention_math") == 1);
  group.variant("flash", attention_by(SdpKernel::fused))
      .only(cpu)
      .proves(calls("aten::_scaled_dot_product_flash_attention_for_cpu") == 1)
      .proves(calls("aten::_scaled_dot_product_attention_math") == 0)
      .claims(time() <= 0.7 * reference())
      .claims(metric("peak_bytes") <= 0.4 * reference());
  group.variant("memory_efficient", attention_by(SdpKernel::fused))
      .within(1e-4)
      .only(cuda)
      .proves(calls("aten::_scaled_dot_product_efficient_attention") == 1);
}

}  // namespace
}  // namespace torchgate::suites::attention
