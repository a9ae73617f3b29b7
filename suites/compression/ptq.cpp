// SPDX-License-Identifier: Apache-2.0
// Post-training quantization from the trained network to its INT8 form: fold batch normalisation, observe the activations on
// held-out batches, convert, measure, and count how often both forms give the same answer.
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/int8.hpp"
#include "suites/common/models.hpp"
#include "suites/common/operator.hpp"
#include "suites/compression/observers.hpp"

namespace torchgate::suites::ptq {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

// --- images of ten classes ----------------------------------------------------------------------------------------------

constexpr std::int64_t classes = 10;
constexpr std::int64_t image_size = 32;
constexpr std::int64_t colours = 3;

/// Each class is a coarse picture, each image one of these with noise.
class Images {
 public:
  explicit Images(Inputs& inputs)
      : inputs_(inputs),
        pictures_(inputs.normal({classes, colours, coarse_size, coarse_size})
                      .repeat_interleave(image_size / coarse_size, 2)
                      .repeat_interleave(image_size / coarse_size, 3)) {}

  /// The classes follow one another.
  Tensor batch(std::int64_t count) {
    const Tensor noise = inputs_.normal({count, colours, image_size, image_size}) * noise_size;
    return (pictures_.index_select(0, classes_of(count)) + noise).contiguous(torch::MemoryFormat::ChannelsLast);
  }
  static Tensor classes_of(std::int64_t count) { return torch::arange(count) % classes; }

 private:
  static constexpr std::int64_t coarse_size = 2;
  static constexpr double noise_size = 1.5;

  Inputs& inputs_;
  Tensor pictures_;
};

// --- a trained network ----------------------------------------------------------------------------------------------------

/// Convolution without bias, batch normalisation, ReLU: the triple that folds into one INT8 operator.
struct Triple {
  torch::nn::Conv2d convolution;
  torch::nn::BatchNorm2d norm;
};

struct Network {
  std::vector<Triple> triples;
  torch::nn::Linear head{nullptr};

  Tensor features(Tensor x) {
    for (Triple& triple : triples) x = torch::relu(triple.norm->forward(triple.convolution->forward(x)));
    return mean_of_channels(x);
  }
  Tensor operator()(const Tensor& x) { return head->forward(features(x)); }
};

Triple new_triple(std::int64_t in, std::int64_t out, std::int64_t stride, std::int64_t groups, Inputs& inputs) {
  constexpr std::int64_t kernel = 3;
  Triple triple{
      torch::nn::Conv2d(torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(1).groups(groups).bias(false)),
      torch::nn::BatchNorm2d(out)};
  auto& weight = triple.convolution->weight;
  weight.set_data(weight.contiguous(torch::MemoryFormat::ChannelsLast));
  triple.norm->weight.copy_(inputs.normal({out}).abs() + 0.5);
  triple.norm->bias.copy_(inputs.normal({out}));
  triple.norm->eval();
  return triple;
}

// Training is replaced by what it would leave: statistics of the images in batch normalisation, and a head that finds the
// nearest class mean: that of the largest f (m - c) - (|m|^2 - |c|^2) / 2, with c the mean of all.
Network trained(Inputs& inputs, Images& images) {
  Network network;
  network.triples = {new_triple(colours, 32, /*stride=*/2, /*groups=*/1, inputs),
                     new_triple(32, 64, /*stride=*/1, /*groups=*/4, inputs),
                     new_triple(64, 64, /*stride=*/2, /*groups=*/1, inputs)};
  constexpr std::int64_t training_images = 200;
  const Tensor x = images.batch(training_images);
  Tensor seen = x;
  for (auto& [convolution, norm] : network.triples) {
    seen = convolution->forward(seen);
    norm->running_mean.copy_(seen.mean({0, 2, 3}));
    norm->running_var.copy_(seen.var(c10::IntArrayRef{0, 2, 3}));
    seen = torch::relu(norm->forward(seen));
  }
  const Tensor features = network.features(x);
  // Images of one class are `classes` apart.
  const Tensor means = features.view({training_images / classes, classes, -1}).mean(0);
  const Tensor centre = means.mean(0);
  network.head = torch::nn::Linear(features.size(1), classes);
  network.head->weight.copy_(means - centre);
  network.head->bias.copy_((centre.square().sum() - means.square().sum(1)) / 2);
  return network;
}

// --- fold, observe, convert -----------------------------------------------------------------------------------------------

struct Folded {
  Tensor weight;
  Tensor bias;
};

// w' = w * g / sqrt(v + eps), b' = beta - m * g / sqrt(v + eps): a convolution without a bias gets one.
Folded fold(const Triple& triple) {
  const auto& norm = triple.norm;
  const Tensor factor = norm->weight / torch::sqrt(norm->running_var + norm->options.eps());
  return {triple.convolution->weight * factor.view({-1, 1, 1, 1}), norm->bias - norm->running_mean * factor};
}

constexpr std::int64_t calibration_batches = 32;
constexpr std::int64_t calibration_batch = 8;

/// Ranges of the input, of each triple's output, and of the features.
template <class Observer>
std::vector<Quantization> observe(Network& network, Images& images) {
  std::vector<Observer> observers(network.triples.size() + 2);
  for (std::int64_t i = 0; i < calibration_batches; ++i) {
    Tensor x = images.batch(calibration_batch);
    // One pixel of one image is defective: ten times as bright as any other. It widens the range of a min/max observer, whose steps then cause more of
    // the error than all other rounding, with 255 of them and with 127.
    constexpr double defect = 100;
    if (i == 0) x[0][0][0][0] = defect;
    observers[0].observe(x);
    for (std::size_t k = 0; k < network.triples.size(); ++k) {
      auto& [convolution, norm] = network.triples[k];
      x = torch::relu(norm->forward(convolution->forward(x)));
      observers[k + 1].observe(x);
    }
    observers.back().observe(mean_of_channels(x));
  }
  std::vector<Quantization> quantizations;
  for (const Observer& observer : observers)
    quantizations.push_back(bytes_for(observer.range().least, observer.range().most));
  return quantizations;
}

struct PackedLayer {
  c10::IValue weights;
  Quantization output;
};

c10::List<std::int64_t> both(const torch::ExpandingArray<2>& pair) {
  return c10::List<std::int64_t>({(*pair)[0], (*pair)[1]});
}

PackedLayer convert(const Triple& triple, Quantization output) {
  static const Operator prepack("quantized::conv2d_prepack");
  const Folded folded = fold(triple);
  const auto& options = triple.convolution->options;
  const auto padding = both(std::get<torch::ExpandingArray<2>>(options.padding()));
  return {prepack({quantize_weight(folded.weight), folded.bias, both(options.stride()), padding,
                   both(options.dilation()), options.groups()}),
          output};
}

/// The network after conversion: FP32 in and out, bytes between.
class Int8Network {
 public:
  Int8Network(const Network& network, const std::vector<Quantization>& observed)
      : input_(observed.front()), features_(observed.back()) {
    for (std::size_t k = 0; k < network.triples.size(); ++k)
      layers_.push_back(convert(network.triples[k], observed[k + 1]));
    static const Operator prepack("quantized::linear_prepack");
    head_ = prepack({quantize_weight(network.head->weight), network.head->bias});
  }

  Tensor operator()(const Tensor& images) const {
    static const Operator conv2d_relu("quantized::conv2d_relu", "new");
    static const Operator linear("quantized::linear_with_input_q_dq_qweight_dq_output_fp32");
    Tensor x = quantize(images, input_);
    for (const PackedLayer& layer : layers_)
      x = conv2d_relu({x, layer.weights, layer.output.scale, layer.output.zero_point}).toTensor();
    return linear({mean_of_channels(x.dequantize()), features_.scale, features_.zero_point, head_}).toTensor();
  }

 private:
  Quantization input_;
  Quantization features_;
  std::vector<PackedLayer> layers_;
  c10::IValue head_;
};

// --- the group --------------------------------------------------------------------------------------------------------------

constexpr std::int64_t judged_images = 500;

double same_answers(const Tensor& expected, const Tensor& found) {
  return (expected.argmax(1) == found.argmax(1)).to(torch::kDouble).mean().item<double>();
}

double relative_error(const Tensor& expected, const Tensor& found) {
  const Tensor exact = expected.to(torch::kDouble);
  return ((found.to(torch::kDouble) - exact).norm() / exact.norm()).item<double>();
}

Timed fp32(const Args& args) {
  Inputs inputs(args);
  Images images(inputs);
  Network network = trained(inputs, images);
  return [network, x = images.batch(args.number("batch"))](Recorder& recorder) mutable {
    recorder.put("agreement", 1);
    recorder.put("held_out_error", 0);
    return network(x);
  };
}

template <class Observer>
Timed converted(const Args& args) {
  use_quantized_engine("X86");
  Inputs inputs(args);
  Images images(inputs);
  Network network = trained(inputs, images);
  const Tensor x = images.batch(args.number("batch"));
  const Int8Network int8(network, observe<Observer>(network, images));
  const Tensor held_out = images.batch(judged_images);
  const Tensor expected = network(held_out);
  const Tensor found = int8(held_out);
  const double agreement = same_answers(expected, found);
  return [int8, x, agreement, error = relative_error(expected, found)](Recorder& recorder) {
    recorder.put("agreement", agreement);
    recorder.put("held_out_error", error);
    return int8(x);
  };
}

constexpr double int8_error = 2e-2;
constexpr double int8_error_with_outlier = 6e-2;

TORCHGATE_GROUP("ptq") {
  const Axis batch = group.axis("batch", {1, 4});
  group.quick(none).only_full(batch(1)).items(batch).needs("qengine:X86");
  group.measures(ratio("agreement").higher().exact()).measures(ratio("held_out_error").exact());

  group.reference("fp32", fp32);
  group.variant("minmax", converted<MinMaxObserver>)
      .within(int8_error_with_outlier)
      .proves(calls("quantized::conv2d_relu") == 3)
      .proves(calls("aten::batch_norm") == 0)
      .claims(time() <= 0.75 * reference(), batch(4), OnlyWith{"avx2"})
      .claims(metric("allocated_bytes") <= 0.4 * reference());
  group.variant("histogram", converted<HistogramObserver>)
      .within(int8_error)
      .only_full()
      .proves(calls("quantized::conv2d_relu") == 3)
      .proves(calls("aten::batch_norm") == 0)
      .claims(metric("held_out_error") <= 0.9 * variant_named("minmax"));  // that of four images is luck
}

}  // namespace
}  // namespace torchgate::suites::ptq
