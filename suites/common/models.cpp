// SPDX-License-Identifier: Apache-2.0
#include "suites/common/models.hpp"

#include "harness/bench/torch/suite.hpp"

namespace torchgate::suites {

Mlp::Mlp(const std::vector<std::int64_t>& widths, const bench::Args& args) {
  for (std::size_t i = 1; i < widths.size(); ++i) {
    layers.emplace_back(widths[i - 1], widths[i]);
    layers.back()->to(bench::device_of(args));
  }
}

torch::Tensor Mlp::operator()(torch::Tensor x) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (i > 0) x = torch::relu(x);
    x = layers[i]->forward(x);
  }
  return x;
}

void Mlp::to(torch::Dtype dtype) {
  for (auto& layer : layers) layer->to(dtype);
}

std::vector<torch::Tensor> Mlp::parameters() const {
  std::vector<torch::Tensor> all;
  for (const auto& layer : layers) all.insert(all.end(), {layer->weight, layer->bias});
  return all;
}

SmallCnn::SmallCnn(const std::vector<std::int64_t>& channels, std::int64_t classes, const bench::Args& args) {
  for (std::size_t i = 1; i < channels.size(); ++i) {
    const std::int64_t stride = i == 1 ? 2 : 1;
    convolutions.emplace_back(
        torch::nn::Conv2dOptions(channels[i - 1], channels[i], /*kernel_size=*/3).padding(1).stride(stride));
    convolutions.back()->to(bench::device_of(args));
    auto& weight = convolutions.back()->weight;
    weight.set_data(weight.contiguous(torch::MemoryFormat::ChannelsLast));
  }
  head = torch::nn::Linear(channels.back(), classes);
  head->to(bench::device_of(args));
}

torch::Tensor SmallCnn::operator()(torch::Tensor x) {
  for (auto& convolution : convolutions) x = torch::relu(convolution->forward(x));
  return head->forward(mean_of_channels(x));
}

void SmallCnn::to(torch::Dtype dtype) {
  for (auto& convolution : convolutions) convolution->to(dtype);
  head->to(dtype);
}

torch::Tensor mean_of_channels(const torch::Tensor& images) {
  return images.mean({2, 3});
}

}  // namespace torchgate::suites
