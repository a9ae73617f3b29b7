// SPDX-License-Identifier: Apache-2.0
#include "suites/memory/deep_model.hpp"

#include <torch/nn/functional/activation.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;

// A layer keeps three activations of 64 KiB, while its parameters and their gradients have 16 KiB each.
constexpr std::int64_t batch_rows = 256;
constexpr std::int64_t width = 64;
// The input of the linear layer, the input of GELU, and the mask of dropout.
constexpr std::int64_t activations_kept_by_layer = 3;
constexpr double dropout_probability = 0.1;

Tensor run_layer(torch::nn::Linear& layer, const Tensor& x) {
  return torch::dropout(torch::gelu(layer->forward(x)), dropout_probability, /*train=*/true);
}

}  // namespace

DeepModel::DeepModel(std::int64_t layers, std::int64_t layers_per_segment, const bench::Args& args)
    : layers_per_segment_(layers_per_segment) {
  for (std::int64_t i = 0; i < layers; ++i) {
    layers_.emplace_back(width, width);
    layers_.back()->to(bench::device_of(args));
  }
  for (std::size_t first = 0; first < layers_.size(); first += static_cast<std::size_t>(layers_per_segment)) {
    const auto begin = layers_.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<torch::nn::Linear> part(begin, begin + static_cast<std::ptrdiff_t>(layers_per_segment));
    segments_.push_back(c10::make_intrusive<Segment>([part](Tensor x) mutable {
      for (torch::nn::Linear& layer : part) x = run_layer(layer, x);
      return x;
    }));
  }
  batch_ = Inputs(args).normal({batch_rows, width}).requires_grad_();
}

std::vector<Tensor> DeepModel::step(std::int64_t checkpointed) {
  Tensor y = batch_;
  for (std::int64_t i = 0; i < segments(); ++i) {
    const auto& segment = segments_[static_cast<std::size_t>(i)];
    y = i < checkpointed ? checkpoint(segment, y) : segment->run(y);
  }
  const Tensor loss = y.pow(2).mean();
  loss.backward();
  std::vector<Tensor> results{loss.detach(), layers_.front()->weight.grad(), layers_.back()->weight.grad()};
  for (torch::nn::Linear& layer : layers_) layer->zero_grad(/*set_to_none=*/true);
  batch_.mutable_grad().reset();
  return results;
}

std::int64_t DeepModel::parameter_bytes() const {
  std::int64_t bytes = 0;
  for (const torch::nn::Linear& layer : layers_) {
    for (const Tensor& parameter : layer->parameters()) bytes += static_cast<std::int64_t>(parameter.nbytes());
  }
  return bytes;
}

std::int64_t DeepModel::activation_bytes() const {
  return static_cast<std::int64_t>(batch_.nbytes());
}

std::int64_t DeepModel::kept_bytes() const {
  return layers_per_segment_ * activations_kept_by_layer * activation_bytes();
}

}  // namespace torchgate::suites
