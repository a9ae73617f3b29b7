// SPDX-License-Identifier: Apache-2.0
// From items to a batch: a chain of transforms or one, and sequences of different lengths padded to one length. The axis `op`
// names the pair.
#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::transforms {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;
namespace data = torch::data;

// --- normalize: four transforms of each image ---------------------------------------------------------------------------

constexpr std::int64_t image_count = 16;
constexpr std::int64_t image_size = 64;
constexpr double mean = 0.5;
constexpr double deviation = 0.25;
constexpr double limit = 2;
constexpr double scale = 3;

/// Images of floats in memory.
class FloatImages : public data::datasets::Dataset<FloatImages> {
 public:
  explicit FloatImages(const Args& args)
      : images_(Inputs(args).normal({image_count, 3, image_size, image_size}).unbind()) {}
  data::Example<> get(std::size_t index) override { return {images_[index], label_}; }
  [[nodiscard]] std::optional<std::size_t> size() const override { return images_.size(); }

 private:
  std::vector<Tensor> images_;
  Tensor label_ = torch::zeros({1});
};

/// The call is an epoch; `dataset` has all transforms but the last, which stacks.
template <class Dataset>
Timed batches_of(Dataset dataset) {
  constexpr std::size_t batch_size = 4;
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
      std::move(dataset).map(data::transforms::Stack<>()), batch_size);
  return [loader = std::move(loader)](Recorder& recorder) {
    std::vector<double> norms;
    for (const auto& batch : *loader) norms.push_back(batch.data.norm().template item<double>());
    recorder.put("waste", 0);
    return norms;
  };
}

Timed four_transforms(const Args& args) {
  using data::transforms::TensorLambda;
  return batches_of(FloatImages(args)
                        .map(TensorLambda<>([](const Tensor& image) { return image.sub(mean); }))
                        .map(TensorLambda<>([](const Tensor& image) { return image.div(deviation); }))
                        .map(TensorLambda<>([](const Tensor& image) { return image.clamp(-limit, limit); }))
                        .map(TensorLambda<>([](const Tensor& image) { return image.mul(scale); })));
}

// Only the first operator makes a tensor. It may not work in place: the data set keeps its image.
Timed one_transform(const Args& args) {
  return batches_of(FloatImages(args).map(data::transforms::TensorLambda<>(
      [](const Tensor& image) { return image.sub(mean).div_(deviation).clamp_(-limit, limit).mul_(scale); })));
}

// --- pad: batches of sequences, each padded to the longest one of its batch ----------------------------------------------

constexpr std::int64_t features = 32;
constexpr std::size_t sequence_count = 32;
constexpr std::size_t batch_sequences = 8;

struct Sequences {
  std::vector<Tensor> items;  // [length, features]
  Tensor weight;

  explicit Sequences(const Args& args) {
    constexpr std::uint64_t shortest = 8;
    constexpr std::uint64_t lengths = 120;
    Inputs inputs(args);
    std::mt19937_64 generator(args.seed());
    for (std::size_t i = 0; i < sequence_count; ++i)
      items.push_back(inputs.normal({static_cast<std::int64_t>(shortest + generator() % lengths), features}));
    weight = inputs.normal({features, features});
  }
};

// torch::nn::functional::pad takes the last dimension's two sides first, then those of the one before.
Tensor padded_by_hand(const std::vector<Tensor>& sequences) {
  namespace F = torch::nn::functional;
  std::int64_t longest = 0;
  for (const Tensor& sequence : sequences) longest = std::max(longest, sequence.size(0));
  std::vector<Tensor> padded;
  for (const Tensor& sequence : sequences)
    padded.push_back(F::pad(sequence, F::PadFuncOptions({0, 0, 0, longest - sequence.size(0)})));
  return torch::stack(padded);
}

Tensor padded_by_library(const std::vector<Tensor>& sequences) {
  return torch::nn::utils::rnn::pad_sequence(sequences, /*batch_first=*/true);
}

using Pad = Tensor (*)(const std::vector<Tensor>&);

/// Returns a number for each sequence, in their original order. Records the share of the batches that is padding.
Timed padded_batches(const Args& args, Pad pad, bool by_length) {
  return [data = Sequences(args), pad, by_length](Recorder& recorder) {
    std::vector<std::size_t> order(data.items.size());
    std::iota(order.begin(), order.end(), 0);
    if (by_length) {
      std::stable_sort(order.begin(), order.end(),
                       [&](auto a, auto b) { return data.items[a].size(0) < data.items[b].size(0); });
    }
    std::vector<double> results(order.size());
    std::int64_t elements = 0;
    std::int64_t used = 0;
    for (std::size_t begin = 0; begin < order.size(); begin += batch_sequences) {
      std::vector<Tensor> sequences;
      for (std::size_t i = begin; i < begin + batch_sequences; ++i) sequences.push_back(data.items[order[i]]);
      const Tensor batch = pad(sequences);
      elements += batch.numel();
      for (const Tensor& sequence : sequences) used += sequence.numel();
      const Tensor sums = torch::matmul(batch, data.weight).sum({1, 2});
      for (std::size_t i = 0; i < batch_sequences; ++i)
        results[order[begin + i]] = sums[static_cast<std::int64_t>(i)].item<double>();
    }
    recorder.put("waste", static_cast<double>(elements - used) / static_cast<double>(elements));
    return results;
  };
}

Timed by_length(const Args& args) {
  return padded_batches(args, padded_by_library, true);
}

Timed by_hand(const Args& args) {
  return padded_batches(args, padded_by_hand, false);
}

// --- the group ----------------------------------------------------------------------------------------------------------

Timed baseline(const Args& args) {
  return args.text("op") == "normalize" ? four_transforms(args) : padded_batches(args, padded_by_library, false);
}

constexpr double summation_error = 1e-5;  // padding divides the sums into other parts

TORCHGATE_GROUP("transforms") {
  const Axis op = group.axis("op", {"normalize", "pad"});
  group.measures(ratio("waste").exact());  // 0 where nothing is padded

  group.reference("baseline", baseline);
  group.variant("one_transform", one_transform)
      .within(1e-6)
      .only(op("normalize"))
      .proves(calls("aten::clamp_") == image_count)
      .claims(metric("allocated_bytes") <= 0.5 * reference());
  group.variant("by_length", by_length)
      .within(summation_error)
      .only(op("pad"))
      .claims(metric("waste") <= 0.6 * reference())
      .claims(metric("allocated_bytes") <= 0.85 * reference());
  group.variant("by_hand", by_hand)
      .within(summation_error)
      .only(op("pad"))
      .only_full()
      .proves(calls("aten::constant_pad_nd") >= 1)
      .claims(metric("waste") <= 1.0 * reference())
      .claims(time() <= 3.0 * reference());
}

}  // namespace
}  // namespace torchgate::suites::transforms
