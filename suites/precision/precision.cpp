// SPDX-License-Identifier: Apache-2.0
// Precision: fewer bits per number, for an error that is checked.

#include "harness/bench/torch/suite.hpp"
#include "suites/common/autocast.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"
#include "suites/common/requirements.hpp"
#include "suites/precision/quantized.hpp"

namespace torchgate::suites::precision {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr double bf16_error = 1e-2;  // 8 bits of mantissa: 0.4 % a rounding
constexpr double int8_error = 3e-2;
// Activations of 7 bits, as without VNNI: measured 1.6 to 2.3 % with dynamic ranges, 2.1 to 2.9 % with static ones.
constexpr double int7_error = 4e-2;
// INT8 on any CPU with AVX2. On an AMD EPYC of the third generation (AVX2, no VNNI) two layers of 512 took 0.50 to 0.54 of FP32's time at batch 64, with
// activations of 7 bits; 0.49 to 0.55 on one with AVX-512 that was limited to AVX2.
constexpr double without_vnni = 0.75;
constexpr const char* vnni = "avx512_vnni";
constexpr const char* avx2 = "avx2";

// --- linear: two layers of 512 ------------------------------------------------------------------------------------------

constexpr std::int64_t width = 512;

Mlp linear_layers(const Args& args) {
  return {{width, width, width}, args};
}

Tensor linear_inputs(const Args& args) {
  return Inputs(args).normal({args.number("batch"), width});
}

template <class Model>
Timed in_fp32(Model model, const Tensor& x) {
  return [=]() mutable { return model(x); };
}

template <class Model>
Timed in_bf16(Model model, const Tensor& x) {
  model.to(torch::kBFloat16);
  return [model, x = x.to(torch::kBFloat16)]() mutable { return model(x); };
}

template <class Model>
Timed under_autocast(Model model, const Tensor& x) {
  return [=]() mutable {
    const Autocast autocast(x.device().type(), torch::kBFloat16);
    return model(x);
  };
}

Timed linear_fp32(const Args& args) {
  return in_fp32(linear_layers(args), linear_inputs(args));
}
Timed linear_bf16(const Args& args) {
  return in_bf16(linear_layers(args), linear_inputs(args));
}
Timed linear_autocast(const Args& args) {
  return under_autocast(linear_layers(args), linear_inputs(args));
}

Factory linear_int8_dynamic(const char* engine) {
  return [engine](const Args& args) -> Timed {
    use_quantized_engine(engine);
    const Mlp mlp = linear_layers(args);
    return [first = pack(mlp.layers[0]), second = pack(mlp.layers[1]), x = linear_inputs(args)] {
      return linear_dynamic(torch::relu(linear_dynamic(x, first)), second);
    };
  };
}

Factory linear_int8_static(const char* engine) {
  return [engine](const Args& args) -> Timed {
    use_quantized_engine(engine);
    Mlp mlp = linear_layers(args);
    const Tensor x = linear_inputs(args);
    const Tensor hidden = torch::relu(mlp.layers[0]->forward(x));
    return [x, input = calibrate(x), first = pack(mlp.layers[0], calibrate(hidden)),
            second = pack(mlp.layers[1], calibrate(mlp.layers[1]->forward(hidden)))] {
      return linear(linear_relu(quantize(x, input), first), second).dequantize();
    };
  };
}

// A call takes 650 ms with LibTorch 2.15 and its oneDNN 3.13, which has no other kernel for it than its reference; with 2.11 it takes 0.2 ms.
std::optional<std::string> static_onednn_kernel() {
  if (!libtorch_before_2_15()) return std::nullopt;
  return "this LibTorch is built without a kernel for it: static INT8 linear layers of oneDNN take 650 ms a call";
}

TORCHGATE_GROUP("linear") {
  const Axis batch = group.axis("batch", {1, 64});
  const double error_of_int8 = reduces_range() ? int7_error : int8_error;
  group.quick(batch(64)).only_full(batch(1)).devices().items(batch);

  group.reference("fp32", linear_fp32);
  group.variant("bf16", linear_bf16)
      .within(bf16_error)
      .needs("avx512_bf16", cpu)
      .proves(calls("aten::addmm").on("BFloat16") == 2)
      .claims(time() <= 0.6 * reference(), where(cpu, batch(64)), bf16_at_full_rate());
  group.variant("bf16_autocast", linear_autocast)
      .within(bf16_error)
      .quick(cuda)
      .needs("avx512_bf16", cpu)
      .proves(calls("aten::addmm").on("BFloat16") == 2)
      .claims(time() <= 0.75 * reference(), where(cpu, batch(64)), bf16_at_full_rate());
  group.variant("int8_dynamic_x86", linear_int8_dynamic("X86"))
      .within(error_of_int8)
      .quick(none)
      .only(cpu)
      .needs("qengine:X86")
      .proves(calls("quantized::linear_dynamic") == 2)
      .claims(time() <= 0.6 * reference(), {}, OnlyWith{vnni})
      .claims(time() <= without_vnni * reference(), batch(64), OnlyWith{avx2});
  group.variant("int8_dynamic_onednn", linear_int8_dynamic("ONEDNN"))
      .within(error_of_int8)
      .only(cpu)
      .needs("qengine:ONEDNN")
      .proves(calls("quantized::linear_dynamic") == 2)
      .claims(time() <= 0.6 * reference(), batch(64), OnlyWith{vnni})
      .claims(time() <= without_vnni * reference(), batch(64), OnlyWith{avx2});
  group.variant("int8_static_x86", linear_int8_static("X86"))
      .within(error_of_int8)
      .quick(none)
      .only(cpu)
      .needs("qengine:X86")
      .proves(calls("quantized::linear") == 1)
      .proves(calls("quantized::linear_relu") == 1)
      .claims(time() <= 0.6 * reference(), batch(64), OnlyWith{vnni})
      .claims(time() <= without_vnni * reference(), batch(64), OnlyWith{avx2});
  group.variant("int8_static_onednn", linear_int8_static("ONEDNN"))
      .within(error_of_int8)
      .only(cpu)
      .needs("qengine:ONEDNN")
      .needs("a kernel of oneDNN", static_onednn_kernel)
      .proves(calls("quantized::linear") == 1)
      .proves(calls("quantized::linear_relu") == 1)
      .claims(time() <= 0.6 * reference(), batch(64), OnlyWith{vnni})
      .claims(time() <= without_vnni * reference(), batch(64), OnlyWith{avx2});
}

// --- cnn: three convolutions and a head, channels last ------------------------------------------------------------------

SmallCnn cnn_layers(const Args& args) {
  return {{3, 32, 32, 32}, /*classes=*/10, args};
}

Tensor cnn_images(const Args& args) {
  return Inputs(args).normal({args.number("batch"), 3, 32, 32}).contiguous(torch::MemoryFormat::ChannelsLast);
}

Timed cnn_fp32(const Args& args) {
  return in_fp32(cnn_layers(args), cnn_images(args));
}
Timed cnn_bf16(const Args& args) {
  return in_bf16(cnn_layers(args), cnn_images(args));
}
Timed cnn_autocast(const Args& args) {
  return under_autocast(cnn_layers(args), cnn_images(args));
}

Factory cnn_int8(const char* engine) {
  return [engine](const Args& args) -> Timed {
    use_quantized_engine(engine);
    SmallCnn cnn = cnn_layers(args);
    const Tensor images = cnn_images(args);
    std::vector<Packed> packed;
    Tensor seen = images;
    for (auto& convolution : cnn.convolutions) {
      seen = torch::relu(convolution->forward(seen));
      packed.push_back(pack(convolution, calibrate(seen)));
    }
    return [images, input = calibrate(images), packed, head = cnn.head]() mutable {
      Tensor y = quantize(images, input);
      for (const Packed& convolution : packed) y = conv2d_relu(y, convolution);
      return head->forward(mean_of_channels(y.dequantize()));
    };
  };
}

// The mean over each channel averages rounding errors away.
constexpr double mean_int8_error = 5e-3;

TORCHGATE_GROUP("cnn") {
  const Axis batch = group.axis("batch", {1, 8});
  group.quick(batch(8)).only_full(batch(1)).devices().items(batch);

  group.reference("fp32", cnn_fp32);
  group.variant("bf16", cnn_bf16)
      .within(bf16_error)
      .needs("avx512_bf16", cpu)
      .proves(calls("aten::conv2d").on("BFloat16") == 3)
      .claims(time() <= 0.8 * reference(), where(cpu, batch(8)), bf16_at_full_rate());
  group.variant("bf16_autocast", cnn_autocast)
      .within(bf16_error)
      .quick(cuda)
      .needs("avx512_bf16", cpu)
      .proves(calls("aten::_convolution").on("BFloat16") == 3)
      .claims(time() <= 0.85 * reference(), where(cpu, batch(8)), bf16_at_full_rate());
  group.variant("int8_x86", cnn_int8("X86"))
      .within(mean_int8_error)
      .quick(none)
      .only(cpu)
      .needs("qengine:X86")
      .proves(calls("quantized::conv2d_relu") == 3)
      .claims(time() <= 0.7 * reference(), {}, OnlyWith{avx2});
  group.variant("int8_onednn", cnn_int8("ONEDNN"))
      .within(mean_int8_error)
      .only(cpu)
      .needs("qengine:ONEDNN")
      .proves(calls("quantized::conv2d_relu") == 3)
      .claims(time() <= 0.7 * reference(), {}, OnlyWith{avx2});
}

}  // namespace
}  // namespace torchgate::suites::precision
