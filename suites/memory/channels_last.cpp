// SPDX-License-Identifier: Apache-2.0
// The memory format of images: planes of one channel after another (NCHW), or all channels of a pixel together
// (channels last, NHWC), which is how oneDNN's convolutions read them without reordering.
#include <stdexcept>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::channels_last {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;

constexpr std::int64_t channels = 64;
constexpr std::int64_t kernel_size = 3;
constexpr std::int64_t image_size = 28;

Factory convolution_in(torch::MemoryFormat format) {
  return [format](const Args& args) -> Timed {
    Inputs inputs(args);
    torch::nn::Conv2d convolution(torch::nn::Conv2dOptions(channels, channels, kernel_size).padding(kernel_size / 2));
    convolution->to(device_of(args));
    convolution->weight.set_data(convolution->weight.contiguous(format));
    const Tensor images = inputs.normal({args.number("batch"), channels, image_size, image_size}).contiguous(format);
    return [=]() mutable {
      Tensor y = convolution->forward(images);
      // The comparison of outputs ignores the format. A layer that falls back to NCHW is as slow as the reference, and
      // every layer after it, too.
      if (!y.is_contiguous(format)) throw std::logic_error("the output is not in the memory format of the input");
      return y;
    };
  };
}

TORCHGATE_GROUP("channels_last") {
  const Axis batch = group.axis("batch", {2, 4});
  group.devices().items(batch).only_full(batch(2));

  group.reference("nchw", convolution_in(torch::MemoryFormat::Contiguous));
  group.variant("nhwc", convolution_in(torch::MemoryFormat::ChannelsLast))
      .claims(metric("allocated_bytes") <= 0.6 * reference(), cpu)
      .claims(time() <= 1.05 * reference(), where(cpu, batch(4)), OnlyWith{"avx2"});
}

}  // namespace
}  // namespace torchgate::suites::channels_last
