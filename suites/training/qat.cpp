// SPDX-License-Identifier: Apache-2.0
// Quantization-aware training against post-training quantization of the same network: its INT8 form, made of weights that were trained with the rounding
// of INT8, or without. How far each is from the network in FP32 is the exact metric output_error.
#include <memory>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/int8.hpp"
#include "suites/common/models.hpp"
#include "suites/common/operator.hpp"

namespace torchgate::suites::qat {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t rows = 128;  // of the training, and as many held out
constexpr std::int64_t features = 64;
constexpr std::int64_t hidden = 64;
constexpr std::int64_t outputs = 4;
constexpr int layers = 2;
constexpr int steps = 40;
constexpr double learning_rate = 0.1;

// --- data and network ---------------------------------------------------------------------------------------------------

// Few causes determine all features but one, so that errors of many weights can cancel each other. That one is a flag, set in every fifteenth row, whose
// weights are 32 times as large as the others: they stretch the scale of each row of weights, and 8 bits leave the others fewer than twenty values.
constexpr std::int64_t causes = 3;
constexpr std::int64_t flag = 0;
constexpr double flag_threshold = 1.5;  // of a standard normal number
constexpr double flag_size = 32;

Tensor batch(Inputs& inputs, const Tensor& mixing) {
  Tensor x = inputs.normal({rows, causes}).mm(mixing);
  x.select(/*dim=*/1, flag).copy_(inputs.normal({rows}) > flag_threshold);
  return x;
}

/// The labels are what the network computes in FP32, as if its training had ended without any error: what an INT8 form of it is off by comes from
/// quantization alone.
struct Task {
  Mlp model;
  Tensor x;
  Tensor y;
  Tensor held_out;
  Quantization input;   // ranges of activations, from the rows of the training
  Quantization inside;  // of the hidden layer
  std::vector<Tensor> start;

  explicit Task(const Args& args) : model({features, hidden, outputs}, args) {
    const torch::NoGradGuard no_gradients;
    model.layers.front()->weight.select(/*dim=*/1, flag).mul_(flag_size);
    Inputs inputs(args);
    const Tensor random = inputs.normal({causes, features});
    const Tensor mixing = random / random.norm(2, {0}, /*keepdim=*/true);
    x = batch(inputs, mixing);
    held_out = batch(inputs, mixing);
    y = model(x);
    input = calibrate(x);
    inside = calibrate(torch::relu(model.layers.front()->forward(x)));
    for (const Tensor& parameter : model.parameters()) start.push_back(parameter.detach().clone());
  }
  void restart() {
    const torch::NoGradGuard no_gradients;
    at::_foreach_copy_(model.parameters(), start);
  }
  void train();
};

// --- training with the rounding of INT8 ---------------------------------------------------------------------------------

// As quantize_weight() rounds: a scale for each output channel, which follows the weights. Gradients pass through unchanged.
Tensor rounded_weight(const Tensor& weight) {
  constexpr std::int64_t largest_byte = 127;
  const Tensor scales = weight.detach().abs().amax(1) / static_cast<double>(largest_byte);
  const Tensor zero_points = torch::zeros({weight.size(0)}, scales.options().dtype(torch::kInt));
  return at::fake_quantize_per_channel_affine(weight, scales, zero_points, /*axis=*/0, -largest_byte, largest_byte);
}

Tensor rounded_activation(const Tensor& values, Quantization quantization) {
  return at::fake_quantize_per_tensor_affine(values, quantization.scale, quantization.zero_point, /*quant_min=*/0,
                                             largest_activation());
}

void Task::train() {
  const auto& first = model.layers.front();
  const auto& second = model.layers.back();
  const std::vector<Tensor> parameters = model.parameters();
  for (int step = 0; step < steps; ++step) {
    const Tensor values =
        torch::relu(torch::linear(rounded_activation(x, input), rounded_weight(first->weight), first->bias));
    const Tensor answers =
        torch::linear(rounded_activation(values, inside), rounded_weight(second->weight), second->bias);
    torch::mse_loss(answers, y).backward();
    const torch::NoGradGuard no_gradients;
    std::vector<Tensor> gradients;
    for (const Tensor& parameter : parameters) gradients.push_back(parameter.grad());
    at::_foreach_add_(parameters, gradients, -learning_rate);
    for (const Tensor& parameter : parameters) parameter.mutable_grad().reset();
  }
}

// --- conversion ---------------------------------------------------------------------------------------------------------

c10::IValue packed(const torch::nn::Linear& layer) {
  static const Operator prepack("quantized::linear_prepack");
  return prepack({quantize_weight(layer->weight.detach().cpu()), layer->bias.detach().cpu()});
}

// Converts the network, and answers the held-out rows: FP32 in and out, bytes between. LibTorch has these layers for CPUs only, wherever the weights
// were trained.
Tensor int8_answers(const Task& task) {
  static const Operator linear_relu("quantized::linear_relu");
  static const Operator linear("quantized::linear_with_input_q_dq_qweight_dq_output_fp32");
  const torch::NoGradGuard no_gradients;
  const Tensor bytes_inside = linear_relu({quantize(task.held_out.cpu(), task.input), packed(task.model.layers.front()),
                                           task.inside.scale, task.inside.zero_point})
                                  .toTensor();
  return linear(
             {bytes_inside.dequantize(), task.inside.scale, task.inside.zero_point, packed(task.model.layers.back())})
      .toTensor();
}

// --- the group ----------------------------------------------------------------------------------------------------------

Timed fp32(const Args& args) {
  return [task = std::make_shared<Task>(args)] {
    const torch::NoGradGuard no_gradients;
    return task->model(task->held_out);
  };
}

Timed ptq(const Args& args) {
  use_quantized_engine("X86");
  return [task = std::make_shared<Task>(args)] { return int8_answers(*task); };
}

Timed qat(const Args& args) {
  use_quantized_engine("X86");
  return [task = std::make_shared<Task>(args)] {
    task->restart();  // each call trains from the same weights
    task->train();
    return int8_answers(*task);
  };
}

constexpr double int8_error = 0.3;  // the scales are stretched: several times the usual 2 %

TORCHGATE_GROUP("qat") {
  group.devices().training().needs("qengine:X86");

  group.reference("fp32", fp32);
  group.variant("ptq", ptq)
      .within(int8_error)
      .proves(calls("quantized::linear_relu") == 1)
      .proves(calls("aten::fake_quantize_per_channel_affine") == 0);
  group.variant("qat", qat)
      .within(int8_error)
      .proves(calls("aten::fake_quantize_per_channel_affine") == layers * steps)
      .proves(calls("aten::fake_quantize_per_tensor_affine") == layers * steps)
      .proves(calls("quantized::linear_relu") == 1)
      .claims(metric("output_error") <= 0.75 * variant_named("ptq"), cpu);
}

}  // namespace
}  // namespace torchgate::suites::qat
