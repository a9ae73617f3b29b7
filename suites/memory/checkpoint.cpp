// SPDX-License-Identifier: Apache-2.0
// Checkpointing: activations are computed again in the backward pass instead of being kept. Memory for time.
#include "harness/bench/torch/suite.hpp"
#include "suites/memory/deep_model.hpp"

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

TORCHGATE_GROUP("checkpoint") {
  const Axis layers = group.axis("layers", {10, 24});
  group.devices().training().only_full(layers(24)).gates("peak_bytes");

  group.reference("all", keep_all);
  group.variant("every_1", checkpoint_every(1))
      .only(layers(10))
      .only_full()
      .claims(metric("peak_bytes") <= 0.7 * reference(), cpu);
  group.variant("every_2", checkpoint_every(2))
      .only(layers(10))
      .claims(metric("peak_bytes") <= 0.7 * reference(), cpu)
      .claims(time() <= 1.7 * reference(), cpu);
  group.variant("every_4", checkpoint_every(4))
      .only(layers(24))
      .claims(metric("peak_bytes") <= 0.7 * reference(), cpu)
      .claims(time() <= 1.7 * reference(), cpu);
}

}  // namespace
