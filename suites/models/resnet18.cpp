// SPDX-License-Identifier: Apache-2.0
#include "suites/models/resnet18.hpp"

#include <c10/util/StringUtil.h>
#include <torch/torch.h>

#include <string>

#include "suites/models/script.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;

// Widths of the four stages of two blocks each.
constexpr std::array<std::int64_t, 4> stage_channels{64, 128, 256, 512};
constexpr std::int64_t blocks_of_stage = 2;

// Half the height and width. The kernel of quantized tensors wants a number for each dimension.
Tensor halve(const Tensor& x) {
  return at::max_pool2d(x, /*kernel_size=*/{3, 3}, /*stride=*/{2, 2}, /*padding=*/{1, 1}, /*dilation=*/{1, 1});
}

Tensor mean_of_channels(const Tensor& x) {
  return at::flatten(at::adaptive_avg_pool2d(x, {1, 1}), /*start_dim=*/1);
}

torch::nn::Conv2dOptions options_of(std::int64_t inputs, std::int64_t outputs, std::int64_t kernel,
                                    std::int64_t stride) {
  return torch::nn::Conv2dOptions(inputs, outputs, kernel).stride(stride).padding(kernel / 2);
}

}  // namespace

NormalisedConvolution::NormalisedConvolution(std::int64_t inputs, std::int64_t outputs, std::int64_t kernel,
                                             std::int64_t stride)
    : convolution(options_of(inputs, outputs, kernel, stride).bias(false)), norm(outputs) {
  constexpr double least_scale = 0.5;
  constexpr double most_scale = 1.5;
  constexpr double shift_deviation = 0.1;
  torch::nn::init::kaiming_normal_(convolution->weight, /*a=*/0, torch::kFanOut, torch::kReLU);
  norm->weight.uniform_(least_scale, most_scale);
  norm->bias.normal_(/*mean=*/0, shift_deviation);
}

Tensor NormalisedConvolution::operator()(const Tensor& x) {
  Tensor y = convolution->forward(x);
  return norm ? norm->forward(y) : y;
}

torch::nn::Conv2d NormalisedConvolution::folded() const {
  if (!norm) return convolution;
  const auto& options = convolution->options;
  torch::nn::Conv2d result(
      torch::nn::Conv2dOptions(options.in_channels(), options.out_channels(), options.kernel_size())
          .stride(options.stride())
          .padding(std::get<torch::ExpandingArray<2>>(options.padding())));
  const Tensor scale = norm->weight / torch::sqrt(norm->running_var + norm->options.eps());
  result->weight.copy_(convolution->weight * scale.view({-1, 1, 1, 1}));
  result->bias.copy_(norm->bias - norm->running_mean * scale);
  return result;
}

void NormalisedConvolution::fold() {
  convolution = folded();
  norm = torch::nn::BatchNorm2d{nullptr};
}

ResidualBlock::ResidualBlock(std::int64_t inputs, std::int64_t outputs, std::int64_t stride)
    : first(inputs, outputs, /*kernel=*/3, stride), second(outputs, outputs, /*kernel=*/3, /*stride=*/1) {
  if (inputs != outputs) shortcut.emplace(inputs, outputs, /*kernel=*/1, stride);
}

Tensor ResidualBlock::operator()(const Tensor& x) {
  const Tensor residual = second(first(x).relu_());
  return (residual + (shortcut ? (*shortcut)(x) : x)).relu_();
}

ResNet18::ResNet18()
    : stem(channels, stage_channels.front(), /*kernel=*/7, /*stride=*/2), head(stage_channels.back(), classes) {
  std::int64_t inputs = stage_channels.front();
  for (const std::int64_t outputs : stage_channels) {
    for (std::int64_t block = 0; block < blocks_of_stage; ++block) {
      blocks.emplace_back(inputs, outputs, /*stride=*/inputs == outputs ? 1 : 2);
      inputs = outputs;
    }
  }
  // Small images: their statistics are those of large ones, for a tenth of the time.
  constexpr std::int64_t sample_images = 4;
  constexpr std::int64_t sample_size = 96;
  for (NormalisedConvolution* one : convolutions()) one->norm->options.momentum(1.0);  // statistics of this pass alone
  (void)(*this)(torch::randn({sample_images, channels, sample_size, sample_size}));
  for (NormalisedConvolution* one : convolutions()) one->norm->eval();
}

Tensor ResNet18::features(const Tensor& images) {
  Tensor x = halve(stem(images).relu_());
  for (ResidualBlock& block : blocks) x = block(x);
  return x;
}

Tensor ResNet18::operator()(const Tensor& images) {
  return head(mean_of_channels(features(images)));
}

std::vector<NormalisedConvolution*> ResNet18::convolutions() {
  std::vector<NormalisedConvolution*> all{&stem};
  for (ResidualBlock& block : blocks) {
    all.push_back(&block.first);
    all.push_back(&block.second);
    if (block.shortcut) all.push_back(&*block.shortcut);
  }
  return all;
}

void ResNet18::fold() {
  for (NormalisedConvolution* one : convolutions()) one->fold();
}

std::vector<Tensor> ResNet18::tensors() {
  std::vector<Tensor> all;
  for (const NormalisedConvolution* one : convolutions()) {
    all.push_back(one->convolution->weight);
    if (one->convolution->bias.defined()) all.push_back(one->convolution->bias);
    if (!one->norm) continue;
    const auto& norm = *one->norm;
    all.insert(all.end(), {norm.weight, norm.bias, norm.running_mean, norm.running_var});
  }
  all.insert(all.end(), {head.weight, head.bias});
  return all;
}

void ResNet18::to(torch::Dtype dtype, torch::MemoryFormat format) {
  for (NormalisedConvolution* one : convolutions()) {
    one->convolution->to(dtype);
    if (one->norm) one->norm->to(dtype);
    Tensor& weight = one->convolution->weight;
    weight.set_data(weight.contiguous(format));
  }
  head.to(dtype);
}

// --- TorchScript --------------------------------------------------------------------------------------------------------

torch::jit::Module NormalisedConvolution::script() const {
  ScriptModule module("NormalisedConvolution");
  module.add("weight", convolution->weight);
  const auto& options = convolution->options;
  const auto& padding = std::get<torch::ExpandingArray<2>>(options.padding());
  const std::int64_t stride = (*options.stride())[0];
  const std::int64_t pad = (*padding)[0];
  // The last arguments of conv2d.
  const std::string geometry = c10::str("[", stride, ", ", stride, "], [", pad, ", ", pad, "], [1, 1], 1)\n");
  if (!norm) {
    module.add("bias", convolution->bias);
    return module.defined_by("def forward(self, x):\n    return torch.conv2d(x, self.weight, self.bias, " + geometry);
  }
  module.add("scale", norm->weight);
  module.add("shift", norm->bias);
  module.add("mean", norm->running_mean);
  module.add("variance", norm->running_var);
  return module.defined_by(c10::str(  //
      "def forward(self, x):\n", "    y = torch.conv2d(x, self.weight, None, ", geometry,
      "    return torch.batch_norm(y, self.scale, self.shift, self.mean, self.variance, False, 0.1, ",
      norm->options.eps(), ", False)\n"));
}

torch::jit::Module ResidualBlock::script() const {
  ScriptModule module("ResidualBlock");
  module.add("first", first.script());
  module.add("second", second.script());
  if (shortcut) module.add("shortcut", shortcut->script());
  return module.defined_by(c10::str(  //
      "def forward(self, x):\n", "    residual = self.second.forward(torch.relu_(self.first.forward(x)))\n",
      "    return torch.relu_(residual + ", shortcut ? "self.shortcut.forward(x)" : "x", ")\n"));
}

torch::jit::Module ResNet18::script() const {
  ScriptModule module("ResNet18");
  module.add("stem", stem.script());
  module.add("head", head);
  std::string source = R"(
def forward(self, x):
    x = torch.max_pool2d(torch.relu_(self.stem.forward(x)), [3, 3], [2, 2], [1, 1])
)";
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string name = c10::str("block_", i);
    module.add(name, blocks[i].script());
    source += c10::str("    x = self.", name, ".forward(x)\n");
  }
  source += R"(
    x = torch.flatten(torch.adaptive_avg_pool2d(x, [1, 1]), 1)
    return torch.linear(x, self.head_weight, self.head_bias)
)";
  return module.defined_by(source);
}

// --- INT8 ---------------------------------------------------------------------------------------------------------------

QuantizedResNet18::QuantizedResNet18(ResNet18 network, const Tensor& calibration_images)
    : input_(calibrate(calibration_images)), head_(network.head) {
  // What each layer puts out is computed in FP32, layer by layer.
  Tensor x = torch::relu(network.stem(calibration_images));
  stem_.emplace(network.stem.folded(), calibrate(x));
  x = halve(x);
  for (ResidualBlock& block : network.blocks) {
    const Tensor inner = torch::relu(block.first(x));
    const Tensor residual = block.second(inner);
    const Tensor shortcut = block.shortcut ? (*block.shortcut)(x) : x;
    std::optional<QuantizedConvolution> packed_shortcut;
    if (block.shortcut) packed_shortcut.emplace(block.shortcut->folded(), calibrate(shortcut));
    x = torch::relu(residual + shortcut);
    blocks_.push_back({{block.first.folded(), calibrate(inner)},
                       {block.second.folded(), calibrate(residual)},
                       packed_shortcut,
                       calibrate(x)});
  }
}

Tensor QuantizedResNet18::operator()(const Tensor& images) const {
  Tensor x = halve(stem_->with_relu(quantize(images, input_)));
  for (const Block& block : blocks_) {
    const Tensor residual = block.second(block.first.with_relu(x));
    x = add_relu(residual, block.shortcut ? (*block.shortcut)(x) : x, block.output);
  }
  return head_(mean_of_channels(x.dequantize()));
}

std::int64_t QuantizedResNet18::parameter_bytes() const {
  std::int64_t sum = stem_->parameter_bytes + static_cast<std::int64_t>(head_.weight.nbytes() + head_.bias.nbytes());
  for (const Block& block : blocks_) {
    sum += block.first.parameter_bytes + block.second.parameter_bytes;
    if (block.shortcut) sum += block.shortcut->parameter_bytes;
  }
  return sum;
}

}  // namespace torchgate::suites
