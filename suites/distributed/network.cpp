// SPDX-License-Identifier: Apache-2.0
#include "suites/distributed/network.hpp"

namespace torchgate::suites {

using torch::Tensor;

torch::nn::Sequential network(const NetworkShape& shape) {
  torch::nn::Sequential model;
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    model->push_back(torch::nn::Linear(shape.width, shape.width));
    if (shape.batch_norm) model->push_back(torch::nn::BatchNorm1d(shape.width));
    model->push_back(torch::nn::ReLU());
  }
  return model;
}

Tensor loss_of(const Tensor& y) {
  return (y - 1).pow(2).mean();
}

std::vector<Tensor> gradients_of(const std::vector<Tensor>& parameters) {
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  return gradients;
}

void forget_gradients(const std::vector<Tensor>& parameters) {
  for (const Tensor& parameter : parameters) parameter.mutable_grad().reset();
}

Tensor flat(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) parts.push_back(tensor.detach().flatten());
  return torch::cat(parts);
}

Tensor averaged_gradients(torch::nn::Sequential& model, const std::vector<Tensor>& parts) {
  const auto parameters = model->parameters();
  std::int64_t rows = 0;
  for (const Tensor& part : parts) rows += part.size(0);
  for (const Tensor& part : parts) {
    const double share = static_cast<double>(part.size(0)) / static_cast<double>(rows);
    (loss_of(model->forward(part)) * share).backward();
  }
  Tensor result = flat(gradients_of(parameters));
  forget_gradients(parameters);
  return result;
}

double relative_distance(const Tensor& a, const Tensor& b) {
  return ((a - b).norm() / b.norm()).item<double>();
}

}  // namespace torchgate::suites
