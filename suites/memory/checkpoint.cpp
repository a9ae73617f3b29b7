// SPDX-License-Identifier: Apache-2.0
// Checkpointing: activations are computed again in the backward pass instead of being kept. Memory for time.
#include "harness/bench/torch/suite.hpp"
#include "suites/memory/deep_model.hpp"

namespace torchgate::suites::checkpoint_group {
namespace {

using namespace torchgate::bench;
using torchgate::suites::DeepModel;

/// The last segment is not checkpointed: its activations are needed as soon as the forward pass has ended.
Factory checkpoint_every(std::int64_t layers) {
  return [layers](const Args& args) -> Timed {
    DeepModel model(args.number("layers"), layers, args);
    return [model]() mutable { return model.step(/*checkpointed=*/model.segments() - 1); };
  };
}

Timed keep_all(const Args& args) {
  DeepModel model(args.number("layers"), /*layers_per_segment=*/1, args);
  return [model]() mutable { return model.step(/*checkpointed=*/0); };
}

/// How often GELU is computed: in each layer, and again in all layers but those of the last segment.
constexpr std::int64_t gelus(std::int64_t layers, std::int64_t layers_per_segment) {
  return 2 * layers - layers_per_segment;
}

TORCHGATE_GROUP("checkpoint") {
  constexpr int few = 10;
  constexpr int many = 24;
  const Axis layers = group.axis("layers", {few, many});
  group.devices().training().only_full(layers(many)).gates("peak_bytes");

  group.reference("all", keep_all)
      .proves(calls("aten::gelu") == few, layers(few))
      .proves(calls("aten::gelu") == many, layers(many));
  group.variant("every_1", checkpoint_every(1))
      .only(layers(few))
      .only_full()
      .proves(calls("aten::gelu") == gelus(few, 1))
      .claims(metric("peak_bytes") <= 0.7 * reference(), cpu);
  group.variant("every_2", checkpoint_every(2))
      .only(layers(few))
      .proves(calls("aten::gelu") == gelus(few, 2))
      .claims(metric("peak_bytes") <= 0.7 * reference(), cpu)
      .claims(time() <= 1.7 * reference(), cpu);
  group.variant("every_4", checkpoint_every(4))
      .only(layers(many))
      .proves(calls("aten::gelu") == gelus(many, 4))
      .claims(metric("peak_bytes") <= 0.7 * reference(), cpu)
      .claims(time() <= 1.7 * reference(), cpu);
}

}  // namespace
}  // namespace torchgate::suites::checkpoint_group
