// SPDX-License-Identifier: Apache-2.0
// A recommender that scores a batch of 16 or 128.
#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/requirements.hpp"
#include "suites/models/int8.hpp"
#include "suites/models/recommender.hpp"
#include "suites/models/script.hpp"
#include "suites/models/ways.hpp"

namespace torchgate::suites::recommender_group {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

// Uniform ids: the worst case for caches.
Interactions interactions_of(const Args& args) {
  const std::int64_t ids = args.number("batch") * Recommender::bag_size;
  Interactions interactions;
  interactions.dense = Inputs(args).normal({args.number("batch"), Recommender::dense_features});
  for (std::int64_t table = 0; table < Recommender::tables; ++table) {
    interactions.indices.push_back(torch::randint(Recommender::rows, {ids}, torch::kLong));
  }
  interactions.offsets = torch::arange(0, ids, Recommender::bag_size, torch::kLong);
  return interactions;
}

auto calls_of(const Recommender& model, const Interactions& interactions) {
  return [model, interactions] { return model(interactions); };
}

Timed eager(const Args& args) {
  const Recommender model;
  return calls_of(model, interactions_of(args));
}

Timed inference_mode(const Args& args) {
  const Recommender model;
  return in_inference_mode(calls_of(model, interactions_of(args)));
}

Timed frozen(const Args& args) {
  const torch::jit::Module script = torch::jit::freeze(Recommender().script());
  const Interactions interactions = interactions_of(args);
  return ScriptCalls(script, {interactions.dense, c10::List<Tensor>(interactions.indices), interactions.offsets});
}

Timed bf16(const Args& args) {
  Recommender model;
  model.to(torch::kBFloat16);
  Interactions interactions = interactions_of(args);
  interactions.dense = interactions.dense.to(torch::kBFloat16);
  return calls_of(model, interactions);
}

Timed int8(const Args& args) {
  use_quantized_engine("X86");
  Recommender model;
  model.to_int8();
  return calls_of(model, interactions_of(args));
}

// The output is a probability: it is compared after the sigmoid, which makes errors smaller.
constexpr double bf16_probability_error = 5e-3;
constexpr double int8_probability_error = 1e-2;

TORCHGATE_GROUP("recommender") {
  const Axis batch = group.axis("batch", {16, 128});
  group.items(batch).only_full(batch(16));

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
      .proves(calls("aten::linear") == 5)
      .claims(metric("peak_bytes") <= 0.7 * reference());
  group.variant("bf16", bf16)
      .within(bf16_probability_error)
      .quick(none)
      .needs("avx512_bf16 or amx_bf16", missing_bf16)
      .proves(calls("aten::linear").on("BFloat16") == 5)
      .proves(calls("aten::embedding_bag").on("BFloat16") == 8)
      .claims(time() <= 0.6 * reference(), batch(128), bf16_at_full_rate());
  group.variant("int8", int8)
      .within(int8_probability_error)
      .needs("qengine:X86")
      .proves(calls("quantized::linear_dynamic") == 5)
      .proves(calls("quantized::embedding_bag_byte_rowwise_offsets") == 8)
      .claims(metric("operator_calls") <= 0.5 * reference())
      .claims(time() <= 0.5 * reference(), {}, OnlyWith{"avx512_vnni"});
}

}  // namespace
}  // namespace torchgate::suites::recommender_group
