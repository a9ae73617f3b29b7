// SPDX-License-Identifier: Apache-2.0
// FP16: as the type of everything, for processors that multiply it; under autocast; and as what is stored only, on any processor.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/autocast.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::half {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Autocast;
using torchgate::suites::Inputs;
using torchgate::suites::Mlp;

constexpr std::int64_t width = 512;

/// Two layers of 512: weight and bias of each, and their input.
struct Layers {
  std::vector<Tensor> parameters;
  Tensor x;

  explicit Layers(const Args& args)
      : parameters(Mlp({width, width, width}, args).parameters()),
        x(Inputs(args).normal({args.number("batch"), width})) {}
};

std::vector<Tensor> converted(const std::vector<Tensor>& tensors, torch::Dtype type) {
  std::vector<Tensor> all;
  all.reserve(tensors.size());
  for (const Tensor& tensor : tensors) all.push_back(tensor.to(type));
  return all;
}

double bytes_of(const std::vector<Tensor>& tensors) {
  double sum = 0;
  for (const Tensor& tensor : tensors) sum += static_cast<double>(tensor.nbytes());
  return sum;
}

// Puts the bytes of the input and of what each layer returns.
Tensor run(const std::vector<Tensor>& parameters, Tensor x, Recorder& recorder) {
  auto activation_bytes = static_cast<double>(x.nbytes());
  for (std::size_t i = 0; i < parameters.size(); i += 2) {
    if (i > 0) x = torch::relu(x);
    x = torch::nn::functional::linear(x, parameters[i], parameters[i + 1]);
    activation_bytes += static_cast<double>(x.nbytes());
  }
  recorder.put("activation_bytes", activation_bytes);
  return x;
}

Timed fp32(const Args& args) {
  return [layers = Layers(args)](Recorder& recorder) {
    recorder.put("weight_bytes", bytes_of(layers.parameters));
    return run(layers.parameters, layers.x, recorder);
  };
}

Timed fp16(const Args& args) {
  const Layers layers(args);
  return [parameters = converted(layers.parameters, torch::kHalf), x = layers.x.to(torch::kHalf)](Recorder& recorder) {
    recorder.put("weight_bytes", bytes_of(parameters));
    return run(parameters, x, recorder);
  };
}

// Weights stay in FP32, and each call converts them.
Timed autocast(const Args& args) {
  return [layers = Layers(args)](Recorder& recorder) {
    const Autocast to_half(layers.x.device().type(), torch::kHalf);
    recorder.put("weight_bytes", bytes_of(layers.parameters));
    return run(layers.parameters, layers.x, recorder);
  };
}

Timed storage(const Args& args) {
  const Layers layers(args);
  const std::vector<Tensor> stored = converted(layers.parameters, torch::kHalf);
  return [stored, x = layers.x](Recorder& recorder) {
    recorder.put("weight_bytes", bytes_of(stored));
    return run(converted(stored, torch::kFloat), x, recorder);
  };
}

constexpr double fp16_error = 2e-3;     // 11 bits of mantissa: 0.05 % a rounding
constexpr double storage_error = 1e-3;  // only the weights are rounded

// oneDNN's FP16 kernels need avx512_fp16 (and use amx_fp16, which never comes without it). Elsewhere LibTorch multiplies FP16
// with its own kernels in FP32: slowly, but in half the memory, which is measured too.
//
// The peak is not claimed. Every tensor has half the bytes, but with avx512_fp16 oneDNN takes a scratchpad from LibTorch's
// allocator for every product, in which it packs the weights: 170,112 bytes at batch 16, 283,776 at 64, 738,432 at 256
// (LibTorch 2.11, 512x512, one thread, L2 of 2 MiB). That makes peak_bytes 3.1, 1.6 and 1.2 times FP32's, for which MKL
// allocates its scratch memory itself, uncounted. No time is claimed either, since no gain has been measured. What holds
// everywhere: FP16 weights need no operators beyond those of FP32; the conversions of autocast are such operators.
TORCHGATE_GROUP("half") {
  const Axis batch = group.axis("batch", {16, 64});
  group.quick(batch(64))
      .only_full(batch(16))
      .devices()
      .items(batch)
      .measures(bytes("weight_bytes"))
      .measures(bytes("activation_bytes"))
      .gates("weight_bytes");

  group.reference("fp32", fp32);
  group.variant("fp16", fp16)
      .within(fp16_error)
      .proves(calls("aten::addmm").on("Half") == 2)
      .claims(metric("operator_calls") <= 1.0 * reference(), cpu)
      .claims(metric("weight_bytes") <= 0.5 * reference())
      .claims(metric("activation_bytes") <= 0.5 * reference());
  group.variant("autocast", autocast)
      .within(fp16_error)
      .quick(cuda)
      .proves(calls("aten::addmm").on("Half") == 2)
      .claims(metric("operator_calls") <= 3.0 * reference(), cpu)
      .claims(metric("activation_bytes") <= 0.7 * reference());
  group.variant("storage", storage)
      .within(storage_error)
      .proves(calls("aten::addmm").on("Float") == 2)
      .proves(calls("aten::_to_copy").on("Half") == 4)
      .claims(metric("weight_bytes") <= 0.5 * reference());
}

}  // namespace
}  // namespace torchgate::suites::half
