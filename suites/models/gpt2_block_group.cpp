// SPDX-License-Identifier: Apache-2.0
// A block of GPT-2: the next token of a sequence of 512 (decode), or the first 128 tokens of one (prefill).
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/requirements.hpp"
#include "suites/models/gpt2_block.hpp"
#include "suites/models/int8.hpp"
#include "suites/models/script.hpp"
#include "suites/models/ways.hpp"

namespace torchgate::suites::gpt2_block_group {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

/// What one call works on. It writes the same positions of the cache each time.
struct Sequence {
  KeyValueCache cache;
  Tensor x;
  std::int64_t start = 0;

  explicit Sequence(const Args& args) : x(Inputs(args).normal({/*batch=*/1, args.number("tokens"), Gpt2Block::width})) {
    constexpr std::int64_t earlier_tokens = 512;  // half of the longest context
    if (args.number("tokens") == 1) start = earlier_tokens;
  }
};

auto calls_of(const Gpt2Block& block, const Sequence& sequence) {
  return [block, sequence] { return block(sequence.x, sequence.cache, sequence.start); };
}

Timed eager(const Args& args) {
  const Gpt2Block block;
  return calls_of(block, Sequence(args));
}

Timed inference_mode(const Args& args) {
  const Gpt2Block block;
  return in_inference_mode(calls_of(block, Sequence(args)));
}

Timed frozen(const Args& args) {
  torch::jit::Module script = Gpt2Block().script();
  const Sequence sequence(args);
  return ScriptCalls(torch::jit::optimize_for_inference(script),
                     {sequence.x, sequence.cache.keys, sequence.cache.values, sequence.start});
}

Timed bf16(const Args& args) {
  Gpt2Block block;
  block.to(torch::kBFloat16);
  Sequence sequence(args);
  sequence.x = sequence.x.to(torch::kBFloat16);
  sequence.cache.to(torch::kBFloat16);
  return calls_of(block, sequence);
}

Timed int8(const Args& args) {
  use_quantized_engine("X86");
  Gpt2Block block;
  block.to_int8();
  return calls_of(block, Sequence(args));
}

constexpr double int8_error = 3e-2;

TORCHGATE_GROUP("gpt2_block") {
  const Axis tokens = group.axis("tokens", {1, 128});
  group.items(tokens).samples(20).quick(tokens(1));

  group.reference("eager", eager);
  group.variant("inference_mode", inference_mode)
      .within(fp32_error)
      .only_full()
      .measures(count(inference_outputs))
      .proves(metric(inference_outputs) == 1)
      .claims(metric("operator_calls") <= 1.0 * reference());
  group.variant("frozen", frozen)
      .within(fp32_error)
      .only_full(tokens(128))
      .quick(none)
      .proves(calls("aten::linear") == 0)
      .claims(metric("operator_calls") <= 0.9 * reference())
      .claims(metric("peak_bytes") <= 0.7 * reference());
  group.variant("bf16", bf16)
      .within(bf16_error)
      .needs("avx512_bf16 or amx_bf16", missing_bf16)
      .proves(calls("aten::linear").on("BFloat16") == 4)
      .claims(time() <= 0.6 * reference(), tokens(128), bf16_at_full_rate());
  group.variant("int8", int8)
      .within(int8_error)
      .needs("qengine:X86")
      .proves(calls("quantized::linear_dynamic") == 4)
      .claims(metric("operator_calls") <= 0.8 * reference())
      .claims(time() <= 0.5 * reference(), {}, OnlyWith{"avx512_vnni"});
}

}  // namespace
}  // namespace torchgate::suites::gpt2_block_group
