// SPDX-License-Identifier: Apache-2.0
// A model that is deep and narrow, so that a training step's memory is mostly activations: what checkpointing saves.
#pragma once

#include <torch/nn/modules/linear.h>
#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "harness/bench/args.hpp"
#include "suites/memory/checkpointing.hpp"

namespace torchgate::suites {

/// Layers of linear, GELU and dropout in consecutive segments, and the batch they are trained with.
class DeepModel {
 public:
  /// REQUIRES: layers is a multiple of layers_per_segment.
  DeepModel(std::int64_t layers, std::int64_t layers_per_segment, const bench::Args& args);

  /// A forward and a backward pass. The activations of the first `checkpointed` segments are not kept but computed again.
  /// Returns the loss and the gradients of the first and the last layer's weights; gradients are not accumulated.
  std::vector<torch::Tensor> step(std::int64_t checkpointed);

  [[nodiscard]] std::int64_t segments() const { return static_cast<std::int64_t>(segments_.size()); }
  /// Of the parameters, and so of their gradients.
  [[nodiscard]] std::int64_t parameter_bytes() const;
  /// Of one activation: the output of a layer, or the input of a segment.
  [[nodiscard]] std::int64_t activation_bytes() const;
  /// What a segment's backward pass needs if it is not checkpointed.
  [[nodiscard]] std::int64_t kept_bytes() const;

 private:
  std::int64_t layers_per_segment_;
  std::vector<torch::nn::Linear> layers_;
  std::vector<c10::intrusive_ptr<Segment>> segments_;
  torch::Tensor batch_;
};

}  // namespace torchgate::suites
