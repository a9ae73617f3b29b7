// SPDX-License-Identifier: Apache-2.0
// ResNet-18 as a classifier of images.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/requirements.hpp"
#include "suites/models/resnet18.hpp"
#include "suites/models/script.hpp"
#include "suites/models/ways.hpp"

namespace torchgate::suites::resnet18_group {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

Tensor images_of(const Args& args) {
  return Inputs(args).normal({args.number("batch"), ResNet18::channels, ResNet18::size, ResNet18::size});
}

auto in_fp32(const Args& args) {
  return [network = ResNet18(), images = images_of(args)]() mutable { return network(images); };
}

Timed eager(const Args& args) {
  return in_fp32(args);
}

Timed inference_mode(const Args& args) {
  return in_inference_mode(in_fp32(args));
}

Timed frozen(const Args& args) {
  torch::jit::Module script = ResNet18().script();
  return ScriptCalls(torch::jit::optimize_for_inference(script), {images_of(args)});
}

Timed channels_last_bf16(const Args& args) {
  constexpr auto format = torch::MemoryFormat::ChannelsLast;
  ResNet18 network;
  network.to(torch::kBFloat16, format);
  return
      [network, images = images_of(args).to(torch::kBFloat16).contiguous(format)]() mutable { return network(images); };
}

Timed int8(const Args& args) {
  use_quantized_engine("X86");
  constexpr std::int64_t calibration_images = 2;  // not those that are measured
  const ResNet18 network;
  const Tensor seen = torch::randn({calibration_images, ResNet18::channels, ResNet18::size, ResNet18::size});
  return [network = QuantizedResNet18(network, seen), images = images_of(args)] { return network(images); };
}

// Errors add up over 20 layers.
constexpr double deep_bf16_error = 3e-2;
constexpr double deep_int8_error = 6e-2;  // 3.3 % with activations of 8 bits
constexpr double deep_int7_error = 1e-1;  // 7 bits round twice as coarsely

// Calls take 6 to 300 ms: few samples are enough, and more would not fit into a run.
TORCHGATE_GROUP("resnet18") {
  // Without it FBGEMM runs INT8 convolutions, and adds in a tensor of 32-bit numbers that has the size of the result.
  const OnlyWith with_vnni{"avx512_vnni"};
  const Axis batch = group.axis("batch", {1, 8});
  group.items(batch).samples(5).only_full(batch(8)).quick(batch(1));

  group.reference("eager", eager);
  group.variant("inference_mode", inference_mode)
      .within(fp32_error)
      .only_full()
      .measures(count(inference_outputs))
      .proves(metric(inference_outputs) == 1)
      .claims(metric("operator_calls") <= 1.0 * reference());
  group.variant("frozen", frozen)
      .within(fp32_error)
      .quick(none)
      .proves(calls("aten::batch_norm") == 0)
      .proves(calls("aten::conv2d") == 0)
      .claims(time() <= 0.85 * reference(), batch(8))
      .claims(metric("operator_calls") <= 0.2 * reference())
      .claims(metric("allocations") <= 0.4 * reference());
  group.variant("channels_last_bf16", channels_last_bf16)
      .within(deep_bf16_error)
      .needs("avx512_bf16 or amx_bf16", missing_bf16)
      .proves(calls("aten::conv2d").on("BFloat16") == 20)
      .claims(time() <= 0.65 * reference(), {}, bf16_at_full_rate());
  group.variant("int8", int8)
      .within(reduces_range() ? deep_int7_error : deep_int8_error)
      .quick(none)
      .needs("qengine:X86")
      .proves(calls("quantized::conv2d_relu") == 9)
      .proves(calls("quantized::conv2d") == 11)
      .proves(calls("quantized::add_relu") == 8)
      .claims(metric("operator_calls") <= 0.75 * reference())
      .claims(time() <= 0.5 * reference(), {}, with_vnni)
      .claims(metric("peak_bytes") <= 0.4 * reference(), {}, with_vnni);
}

}  // namespace
}  // namespace torchgate::suites::resnet18_group
