// SPDX-License-Identifier: Apache-2.0
// The network that all ranks train, and what is done with its gradients.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

namespace torchgate::suites {

/// Rows of a batch of all ranks together.
inline constexpr std::int64_t batch_rows = 32;

/// Linear layers with ReLU. The default has half a megabyte of gradients.
struct NetworkShape {
  std::int64_t layers = 5;
  std::int64_t width = 160;
  bool batch_norm = false;
};

torch::nn::Sequential network(const NetworkShape& shape);

torch::Tensor loss_of(const torch::Tensor& y);

std::vector<torch::Tensor> gradients_of(const std::vector<torch::Tensor>& parameters);

/// LibTorch's optimizer.zero_grad() detaches gradients, which a view of a bucket does not allow.
void forget_gradients(const std::vector<torch::Tensor>& parameters);

/// All of them one after the other, as one vector.
torch::Tensor flat(const std::vector<torch::Tensor>& tensors);

/// The gradients of the mean loss over all rows, computed by this process alone; `parts` are the rows of each rank.
torch::Tensor averaged_gradients(torch::nn::Sequential& model, const std::vector<torch::Tensor>& parts);

/// |a - b| / |b|.
double relative_distance(const torch::Tensor& a, const torch::Tensor& b);

}  // namespace torchgate::suites
