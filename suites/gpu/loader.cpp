// SPDX-License-Identifier: Apache-2.0
// A data loader whose workers stack their batches in pinned memory: the device copies them while the host continues.
#include <optional>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites::loader {
namespace {

using namespace torchgate::bench;
using torch::Tensor;
using torchgate::suites::Inputs;
namespace data = torch::data;

constexpr std::size_t batches = 4;
constexpr std::size_t batch_images = 32;
constexpr std::size_t workers = 2;

/// Images in pageable memory of the host.
class HostImages : public data::datasets::Dataset<HostImages, data::TensorExample> {
 public:
  explicit HostImages(const Args& args) {
    constexpr auto count = static_cast<std::int64_t>(batches * batch_images);
    constexpr std::int64_t channels = 3;
    constexpr std::int64_t width = 128;
    images_ = Inputs(args).normal({count, channels, width, width}).cpu().unbind();
  }
  data::TensorExample get(std::size_t index) override { return images_[index]; }
  [[nodiscard]] std::optional<std::size_t> size() const override { return images_.size(); }

 private:
  std::vector<Tensor> images_;
};

/// Runs in the workers.
class Stacked : public data::transforms::Collation<data::TensorExample> {
 public:
  explicit Stacked(bool pins) : pins_(pins) {}
  data::TensorExample apply_batch(std::vector<data::TensorExample> examples) override {
    std::vector<Tensor> images;
    images.reserve(examples.size());
    for (data::TensorExample& example : examples) images.push_back(std::move(example.data));
    std::vector<std::int64_t> shape = images.front().sizes().vec();
    shape.insert(shape.begin(), static_cast<std::int64_t>(images.size()));
    Tensor batch = torch::empty(shape, torch::TensorOptions().pinned_memory(pins_));
    torch::stack_out(batch, images);
    return batch;
  }

 private:
  bool pins_;
};

Factory epoch_of(bool pins) {
  return [pins](const Args& args) -> Timed {
    auto loader = data::make_data_loader<data::samplers::SequentialSampler>(
        HostImages(args).map(Stacked(pins)), data::DataLoaderOptions().batch_size(batch_images).workers(workers));
    return [loader = std::move(loader), device = device_of(args)](Recorder& recorder) {
      // The harness finds out here, before a worker has pinned anything, that the call cannot be recorded.
      torch::cuda::synchronize();
      double pinned = 0;
      std::vector<Tensor> means;
      for (const data::TensorExample& batch : *loader) {
        Tensor images;
        {
          const auto phase = recorder.phase("copying");
          images = batch.data.to(device, /*non_blocking=*/true);
        }
        pinned += batch.data.is_pinned() ? 1 : 0;
        means.push_back(images.abs().mean());
      }
      recorder.put("pinned_batches", pinned);
      return torch::stack(means);
    };
  };
}

// What is claimed is the time that the consumer spends in the copies. The epoch takes as long as the workers need.
TORCHGATE_GROUP("pinned_loader") {
  group.axis("device", {"cuda"});
  group.items([](const Args&) { return static_cast<double>(batches * batch_images); });
  group.measures(count("pinned_batches")).phases({"copying"});

  group.reference("pageable", epoch_of(false)).proves(metric("pinned_batches") == 0);
  group.variant("pinned", epoch_of(true))
      .proves(metric("pinned_batches") == batches)
      .claims(metric("copying") <= 0.5 * reference());
}

}  // namespace
}  // namespace torchgate::suites::loader
