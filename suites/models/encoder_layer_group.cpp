// SPDX-License-Identifier: Apache-2.0
// A layer of BERT-base: one text of 128 tokens, or of one.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/requirements.hpp"
#include "suites/models/encoder_layer.hpp"
#include "suites/models/int8.hpp"
#include "suites/models/script.hpp"
#include "suites/models/ways.hpp"

namespace torchgate::suites::encoder_layer_group {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

Tensor tokens_of(const Args& args) {
  return Inputs(args).normal({/*batch=*/1, args.number("tokens"), EncoderLayer::width});
}

auto in_fp32(const Args& args) {
  return [layer = EncoderLayer(), x = tokens_of(args)] { return layer(x); };
}

Timed eager(const Args& args) {
  return in_fp32(args);
}

Timed inference_mode(const Args& args) {
  return in_inference_mode(in_fp32(args));
}

Timed frozen(const Args& args) {
  torch::jit::Module script = EncoderLayer().script();
  return ScriptCalls(torch::jit::optimize_for_inference(script), {tokens_of(args)});
}

Timed bf16(const Args& args) {
  EncoderLayer layer;
  layer.to(torch::kBFloat16);
  return [layer, x = tokens_of(args).to(torch::kBFloat16)] { return layer(x); };
}

Timed int8(const Args& args) {
  use_quantized_engine("X86");
  EncoderLayer layer;
  layer.to_int8();
  return [layer, x = tokens_of(args)] { return layer(x); };
}

constexpr double int8_error = 3e-2;

TORCHGATE_GROUP("encoder_layer") {
  const Axis tokens = group.axis("tokens", {1, 128});
  group.items(tokens).samples(10).only_full(tokens(1));

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
      .proves(calls("aten::linear") == 0)
      .claims(metric("operator_calls") <= 0.9 * reference())
      .claims(metric("peak_bytes") <= 0.8 * reference());
  group.variant("bf16", bf16)
      .within(bf16_error)
      .quick(none)
      .needs("avx512_bf16 or amx_bf16", missing_bf16)
      .proves(calls("aten::linear").on("BFloat16") == 6)
      .claims(time() <= 0.55 * reference(), tokens(128), bf16_at_full_rate());
  group.variant("int8", int8)
      .within(int8_error)
      .needs("qengine:X86")
      .proves(calls("quantized::linear_dynamic") == 6)
      .claims(metric("operator_calls") <= 0.7 * reference())
      .claims(time() <= 0.5 * reference(), {}, OnlyWith{"avx512_vnni"});
}

}  // namespace
}  // namespace torchgate::suites::encoder_layer_group
