// SPDX-License-Identifier: Apache-2.0
// Data loading: how many threads load the batches, when they start with the next one, and how items become a batch.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/inputs.hpp"
#include "suites/common/requirements.hpp"
#include "suites/data_loading/images.hpp"
#include "suites/data_loading/loading.hpp"

namespace torchgate::suites::data_loading {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
using torch::Tensor;

constexpr std::int64_t batches_per_epoch = 8;
constexpr std::int64_t images_per_epoch = batch_size * batches_per_epoch;

auto shuffled_loader(const Args& args, torch::data::DataLoaderOptions options) {
  auto dataset = Images(images_per_epoch, args).map(torch::data::transforms::Stack<>());
  return torch::data::make_data_loader<torch::data::samplers::RandomSampler>(std::move(dataset), options);
}

// Of a variant with workers. That they did the work is checked here, because operators are counted in all threads alike.
std::optional<std::string> same_epoch_by_workers(const Output& reference, const Output& output) {
  constexpr double summation_error = 1e-5;  // batches of other images are summed in another order
  const auto whole = [&](Epoch::Number i) { return std::to_string(static_cast<std::int64_t>(output.values.at(i))); };
  if (output.values.at(Epoch::delivered_batches) != batches_per_epoch)
    return "delivered " + whole(Epoch::delivered_batches) + " batches";
  if (output.values.at(Epoch::once) != images_per_epoch)
    return "delivered only " + whole(Epoch::once) + " images exactly once";
  if (output.values.at(Epoch::by_consumer) != 0)
    return "the expected code path did not run: the consumer loaded " + whole(Epoch::by_consumer) + " images itself";
  if (!is_close(output.values.at(Epoch::pixels), reference.values.at(Epoch::pixels), summation_error))
    return "delivered wrong pixels";
  return std::nullopt;
}

// --- workers: one epoch, and nothing else to do while it is loaded ------------------------------------------------------

Factory epoch_with_workers(std::size_t workers) {
  return [workers](const Args& args) -> Timed {
    return [loader = shuffled_loader(args, loading(workers, 2 * workers))] {
      Epoch epoch(images_per_epoch);
      for (const auto& batch : *loader) epoch.add(batch);
      return epoch.result();
    };
  };
}

TORCHGATE_GROUP("workers") {
  group.without({"peak_bytes"});  // how many batches exist at once is a race of the workers
  group.items([](const Args&) { return static_cast<double>(images_per_epoch); });

  group.reference("none", epoch_with_workers(0));
  group.variant("one", epoch_with_workers(1)).checks(same_epoch_by_workers);
  group.variant("two", epoch_with_workers(2))
      .needs("two CPUs", two_cpus)
      .checks(same_epoch_by_workers)
      .claims(time() <= 0.8 * reference());
  group.variant("four", epoch_with_workers(4))
      .needs("two CPUs", two_cpus)
      .checks(same_epoch_by_workers)
      .claims(time() <= 1.3 * reference());
  group.variant("eight", epoch_with_workers(8))
      .only_full()
      .needs("two CPUs", two_cpus)
      .checks(same_epoch_by_workers)
      .claims(time() <= 1.3 * reference());
}

// --- prefetch: one epoch while the consumer computes --------------------------------------------------------------------

/// Counts the batches that the loader has requested in this epoch.
class CountingSampler : public torch::data::samplers::RandomSampler {
 public:
  explicit CountingSampler(std::shared_ptr<std::int64_t> requested)
      : RandomSampler(images_per_epoch), requested_(std::move(requested)) {}
  void reset(std::optional<std::size_t> new_size = std::nullopt) override {
    *requested_ = 0;
    RandomSampler::reset(new_size);
  }
  std::optional<std::vector<std::size_t>> next(std::size_t images) override {
    auto batch = RandomSampler::next(images);
    if (batch) ++*requested_;
    return batch;
  }

 private:
  std::shared_ptr<std::int64_t> requested_;
};

auto counting_loader(const Args& args, const torch::data::DataLoaderOptions& options,
                     const std::shared_ptr<std::int64_t>& requested) {
  auto dataset = Images(images_per_epoch, args).map(torch::data::transforms::Stack<>());
  return torch::data::make_data_loader(std::move(dataset), CountingSampler(requested), options);
}

Factory epoch_with_computing(std::size_t workers, std::size_t batches_ahead) {
  return [=](const Args& args) -> Timed {
    constexpr std::int64_t width = 256;
    Inputs inputs(args);
    const auto requested = std::make_shared<std::int64_t>(0);
    return [loader = counting_loader(args, loading(workers, batches_ahead), requested), requested,
            weight = inputs.normal({width, width}), x = inputs.normal({width, width})](Recorder& recorder) {
      Epoch epoch(images_per_epoch);
      const auto waited = [&](auto&& fetch) {
        const auto phase = recorder.phase("wait_time");
        return fetch();
      };
      auto batch = waited([&] { return loader->begin(); });
      recorder.put("batches_ahead", static_cast<double>(*requested));  // none has been delivered yet
      // LibTorch's iterator fetches the first batch when it is first compared.
      while (waited([&] { return batch != loader->end(); })) {
        epoch.add(*batch);
        torch::mm(x, weight);
        waited([&] { ++batch; });
      }
      return epoch.result();
    };
  };
}

TORCHGATE_GROUP("prefetch") {
  group.without({"peak_bytes"})
      .items([](const Args&) { return static_cast<double>(images_per_epoch); })
      .measures(ns("wait_time"))
      .measures(count("batches_ahead"));

  group.reference("none", epoch_with_computing(0, 0));
  group.variant("one_batch", epoch_with_computing(1, 1))
      .checks(same_epoch_by_workers)
      .proves(metric("batches_ahead") == 1);
  group.variant("four_batches", epoch_with_computing(1, 4))
      .needs("two CPUs", two_cpus)
      .checks(same_epoch_by_workers)
      .proves(metric("batches_ahead") == 4)
      .claims(time() <= 0.9 * reference())
      .claims(metric("wait_time") <= 0.75 * reference());
}

// --- collate: one batch from images in bytes ----------------------------------------------------------------------------

std::vector<Tensor> bytes_of_batch(const Args& args) {
  constexpr std::int64_t size = 48;
  return Inputs(args).bytes({args.number("batch"), 3, size, size}).unbind();
}

Timed collate_floats(const Args& args) {
  return [images = bytes_of_batch(args)] {
    std::vector<Tensor> floats;
    for (const Tensor& image : images) floats.push_back(normalized(image));
    return torch::stack(floats);
  };
}

Timed collate_into_slots(const Args& args) {
  return [images = bytes_of_batch(args)] {
    std::vector<std::int64_t> shape = images.front().sizes().vec();
    shape.insert(shape.begin(), static_cast<std::int64_t>(images.size()));
    Tensor batch = torch::empty(shape);
    for (std::size_t i = 0; i < images.size(); ++i) {
      batch.select(0, static_cast<std::int64_t>(i)).copy_(images[i]).div_(255).sub_(0.5).div_(0.25);
    }
    return batch;
  };
}

Timed collate_bytes(const Args& args) {
  return [images = bytes_of_batch(args)] { return normalized(torch::stack(images)); };
}

TORCHGATE_GROUP("collate") {
  const Axis batch = group.axis("batch", {4, 16});
  group.items(batch).only_full(batch(4));

  group.reference("floats", collate_floats);
  group.variant("into_slots", collate_into_slots)
      .proves(calls("aten::stack") == 0)
      .claims(metric("allocated_bytes") <= 0.6 * reference());
  group.variant("bytes", collate_bytes)
      .proves(calls("aten::stack").on("Byte") == 1)
      .claims(time() <= 0.8 * reference());
}

}  // namespace
}  // namespace torchgate::suites::data_loading
