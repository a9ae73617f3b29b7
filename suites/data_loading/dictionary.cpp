// SPDX-License-Identifier: Apache-2.0
// Samples that are dictionaries: tensors by name, of several types and shapes. A batch is a dictionary with the same names:
// collated field by field with what is known of each, by a rule for all names, or into tensors that are kept.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"
#include "suites/data_loading/images.hpp"

namespace torchgate::suites::dictionary {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
using torchgate::suites::normalized;
namespace data = torch::data;

using NamedTensors = std::map<std::string, Tensor>;

/// In memory: an image as bytes, its box as floats, and its label and the tokens of its caption as integers. Captions differ
/// in length.
class CaptionedImages : public data::datasets::Dataset<CaptionedImages, NamedTensors> {
 public:
  CaptionedImages(std::int64_t count, const Args& args) {
    constexpr std::int64_t image_size = 48;
    constexpr std::int64_t numbers_of_box = 4;
    constexpr std::uint64_t shortest = 8;
    constexpr std::uint64_t lengths = 57;
    Inputs inputs(args);
    std::mt19937_64 generator(args.seed());
    for (std::int64_t i = 0; i < count; ++i) {
      const auto tokens = static_cast<std::int64_t>(shortest + generator() % lengths);
      NamedTensors sample;
      sample["box"] = inputs.normal({numbers_of_box});
      sample["image"] = inputs.bytes({3, image_size, image_size});
      sample["label"] = torch::full({1}, i, torch::kLong);
      sample["tokens"] = inputs.bytes({tokens}).to(torch::kLong);
      samples_.push_back(std::move(sample));
    }
  }
  NamedTensors get(std::size_t index) override { return samples_.at(index); }
  [[nodiscard]] std::optional<std::size_t> size() const override { return samples_.size(); }

 private:
  std::vector<NamedTensors> samples_;
};

/// As a function for these four names is written: each sample is brought into the form of the batch, then all are stacked.
class ByHand final : public data::transforms::Collation<NamedTensors> {
 public:
  NamedTensors apply_batch(std::vector<NamedTensors> samples) override {
    std::int64_t longest = 0;
    for (const NamedTensors& sample : samples) longest = std::max(longest, sample.at("tokens").size(0));
    std::vector<Tensor> boxes;
    std::vector<Tensor> images;
    std::vector<Tensor> labels;
    std::vector<Tensor> captions;
    for (const NamedTensors& sample : samples) {
      boxes.push_back(sample.at("box"));
      images.push_back(normalized(sample.at("image")));
      labels.push_back(sample.at("label"));
      const Tensor& tokens = sample.at("tokens");
      captions.push_back(at::constant_pad_nd(tokens, {0, longest - tokens.size(0)}));
    }
    NamedTensors batch;
    batch["box"] = torch::stack(boxes);
    batch["image"] = torch::stack(images);
    batch["label"] = torch::stack(labels);
    batch["tokens"] = torch::stack(captions);
    return batch;
  }
};

std::vector<Tensor> tensors_of(const std::string& name, const std::vector<NamedTensors>& samples) {
  std::vector<Tensor> tensors;
  for (const NamedTensors& sample : samples) tensors.push_back(sample.at(name));
  return tensors;
}

/// Largest sizes; tensors of one name differ in the first one only.
std::vector<std::int64_t> largest_shape(const std::vector<Tensor>& tensors) {
  std::vector<std::int64_t> shape = tensors.front().sizes().vec();
  for (const Tensor& tensor : tensors) shape.front() = std::max(shape.front(), tensor.size(0));
  return shape;
}

bool differ_in_length(const std::vector<Tensor>& tensors) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const Tensor& tensor) { return tensor.size(0) != tensors.front().size(0); });
}

/// For any names: tensors of one shape are stacked as they are, others padded with zeros. Bytes become normalised floats
/// afterwards, all of a batch at once.
class ByName final : public data::transforms::Collation<NamedTensors> {
 public:
  NamedTensors apply_batch(std::vector<NamedTensors> samples) override {
    NamedTensors batch;
    for (const auto& entry : samples.front()) {
      const std::vector<Tensor> tensors = tensors_of(entry.first, samples);
      const Tensor whole =
          differ_in_length(tensors) ? at::pad_sequence(tensors, /*batch_first=*/true) : torch::stack(tensors);
      batch[entry.first] = whole.scalar_type() == torch::kByte ? normalized(whole) : whole;
    }
    return batch;
  }
};

/// As ByName, into the tensors of the batch before, whose values are lost. They grow when a batch needs more.
class IntoKept final : public data::transforms::Collation<NamedTensors> {
 public:
  NamedTensors apply_batch(std::vector<NamedTensors> samples) override {
    for (const auto& entry : samples.front()) fill(kept_[entry.first], tensors_of(entry.first, samples));
    return kept_;
  }

 private:
  static void fill(Tensor& batch, const std::vector<Tensor>& tensors) {
    const bool is_image = tensors.front().scalar_type() == torch::kByte;
    if (!batch.defined()) batch = torch::empty({0}, is_image ? torch::kFloat : tensors.front().scalar_type());
    std::vector<std::int64_t> shape = largest_shape(tensors);
    shape.insert(shape.begin(), static_cast<std::int64_t>(tensors.size()));
    batch.resize_(shape);
    if (differ_in_length(tensors)) batch.zero_();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      batch.select(0, static_cast<std::int64_t>(i)).narrow(0, 0, tensors[i].size(0)).copy_(tensors[i]);
    }
    if (is_image) batch.div_(255).sub_(0.5).div_(0.25);  // as normalized()
  }

  NamedTensors kept_;
};

/// The call is an epoch of one batch. Returns its tensors in the order of their names.
template <class Collation>
Timed collated(const Args& args) {
  const std::int64_t batch_size = args.number("batch");
  auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
      CaptionedImages(batch_size, args).map(Collation()), static_cast<std::size_t>(batch_size));
  return [loader = std::move(loader)] {
    std::vector<Tensor> tensors;
    for (const NamedTensors& batch : *loader) {
      for (const auto& entry : batch) tensors.push_back(entry.second);
    }
    return tensors;
  };
}

TORCHGATE_GROUP("dictionary") {
  const Axis batch = group.axis("batch", {4, 16});
  group.items(batch).only_full(batch(4));

  group.reference("by_hand", collated<ByHand>);
  group.variant("by_name", collated<ByName>)
      .within(1e-6)
      .proves(calls("aten::stack").on("Byte") == 1)  // the images, before they are floats
      .proves(calls("aten::pad_sequence") == 1)
      .claims(metric("allocated_bytes") <= 0.7 * reference())
      .claims(metric("operator_calls") <= 0.6 * reference(), batch(16))
      .claims(time() <= 0.8 * reference(), batch(16));
  group.variant("into_kept", collated<IntoKept>)
      .within(1e-6)
      .proves(calls("aten::stack") == 0)
      .proves(calls("aten::pad_sequence") == 0)
      .claims(metric("allocated_bytes") <= 0.05 * reference());
}

}  // namespace
}  // namespace torchgate::suites::dictionary
