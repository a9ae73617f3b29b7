// SPDX-License-Identifier: Apache-2.0
// Pruned channels of convolutions: those of the smallest L2 norm (n=2, dim=0) are zero, or the network is built again without them. Then the layer behind
// each convolution has fewer inputs, too.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/models.hpp"

namespace torchgate::suites::channels {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::SmallCnn;

constexpr std::int64_t images_per_call = 4;
constexpr std::int64_t image_channels = 16;
constexpr std::int64_t image_size = 16;
constexpr std::int64_t classes = 10;
constexpr std::int64_t convolutions = 3;
// Of each convolution. Of 160 channels 112 or 80 are left: multiples of 16, since kernels compute channels in blocks of 8 or 16.
constexpr std::int64_t width = 160;
constexpr std::int64_t width_without_30 = 112;
constexpr std::int64_t width_without_50 = 80;

// In their order.
Tensor channels_of_largest_norm(const Tensor& weight, std::int64_t pruned_percent) {
  constexpr std::int64_t hundred = 100;
  const std::int64_t kept = weight.size(0) - weight.size(0) * pruned_percent / hundred;
  return std::get<0>(std::get<1>(weight.flatten(1).norm(2, {1}).topk(kept)).sort());
}

struct PrunedCnn {
  SmallCnn whole;
  std::vector<Tensor> kept;  ///< of each convolution: the channels that stay
  Tensor images;

  explicit PrunedCnn(const Args& args) : whole({image_channels, width, width, width}, classes, args) {
    for (const auto& convolution : whole.convolutions)
      kept.push_back(channels_of_largest_norm(convolution->weight, args.number("percent")));
    images = Inputs(args)
                 .normal({images_per_call, image_channels, image_size, image_size})
                 .contiguous(torch::MemoryFormat::ChannelsLast);
  }
};

/// What a network has. The same in every call: the calls record it because a metric of a case is what its calls record.
struct Size {
  double channels = 0;         ///< of all convolutions
  double parameter_bytes = 0;  ///< weights and biases

  explicit Size(const SmallCnn& cnn) {
    const auto add = [this](const Tensor& tensor) { parameter_bytes += static_cast<double>(tensor.nbytes()); };
    for (const auto& convolution : cnn.convolutions) {
      channels += static_cast<double>(convolution->weight.size(0));
      add(convolution->weight);
      add(convolution->bias);
    }
    add(cnn.head->weight);
    add(cnn.head->bias);
  }
};

Timed calls_of(SmallCnn cnn, const Tensor& images) {
  return [size = Size(cnn), cnn = std::move(cnn), images](Recorder& recorder) mutable {
    recorder.put("channels", size.channels);
    recorder.put("parameter_bytes", size.parameter_bytes);
    return cnn(images);
  };
}

// As torch.nn.utils.prune.ln_structured leaves the weights, once the mask is multiplied in. The biases of these channels are zero, too: otherwise the
// channels are constants, which the layers behind them add.
Timed zeroed(const Args& args) {
  PrunedCnn cnn(args);
  for (std::size_t i = 0; i < cnn.kept.size(); ++i) {
    auto& convolution = cnn.whole.convolutions[i];
    const Tensor stays = torch::zeros_like(convolution->bias).index_fill_(0, cnn.kept[i], 1);
    convolution->weight.mul_(stays.view({-1, 1, 1, 1}));
    convolution->bias.mul_(stays);
  }
  return calls_of(cnn.whole, cnn.images);
}

// A network of smaller layers. Each keeps the rows of its own channels, and the columns of those that the layer before it still has.
Timed rebuilt(const Args& args) {
  const PrunedCnn cnn(args);
  std::vector<std::int64_t> widths{image_channels};
  for (const Tensor& kept : cnn.kept) widths.push_back(kept.size(0));
  SmallCnn smaller(widths, classes, args);
  Tensor read = torch::arange(image_channels, cnn.kept.front().options());  // the images have all their channels
  for (std::size_t i = 0; i < cnn.kept.size(); ++i) {
    const auto& from = cnn.whole.convolutions[i];
    auto& to = smaller.convolutions[i];
    to->weight.copy_(from->weight.index_select(0, cnn.kept[i]).index_select(1, read));
    to->bias.copy_(from->bias.index_select(0, cnn.kept[i]));
    read = cnn.kept[i];
  }
  smaller.head->weight.copy_(cnn.whole.head->weight.index_select(1, read));
  smaller.head->bias.copy_(cnn.whole.head->bias);
  return calls_of(smaller, cnn.images);
}

TORCHGATE_GROUP("channels") {
  const Axis percent = group.axis("percent", {30, 50});
  group.devices()
      .quick(percent(50))
      .only_full(percent(30))
      .items([](const Args&) { return static_cast<double>(images_per_call); })
      .measures(count("channels"))
      .measures(bytes("parameter_bytes"))
      .gates("parameter_bytes");

  group.reference("zeroed", zeroed).proves(metric("channels") == convolutions * width);
  group.variant("rebuilt", rebuilt)
      .proves(metric("channels") == convolutions * width_without_30, percent(30))
      .proves(metric("channels") == convolutions * width_without_50, percent(50))
      .claims(metric("parameter_bytes") <= 0.55 * reference(), where(cpu, percent(30)))
      .claims(metric("parameter_bytes") <= 0.3 * reference(), where(cpu, percent(50)))
      .claims(metric("allocated_bytes") <= 0.8 * reference(), where(cpu, percent(30)))
      .claims(metric("allocated_bytes") <= 0.6 * reference(), where(cpu, percent(50)))
      .claims(time() <= 0.7 * reference(), where(cpu, percent(50)));
}

}  // namespace
}  // namespace torchgate::suites::channels
