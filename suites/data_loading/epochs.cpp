// SPDX-License-Identifier: Apache-2.0
// One epoch over the same images, where the axis `op` names what differs: the loader (when its workers start, in which order
// batches are delivered), the sampler, or a cache.
#include <memory>
#include <set>
#include <string>

#include "harness/bench/torch/suite.hpp"
#include "suites/common/expected.hpp"
#include "suites/common/requirements.hpp"
#include "suites/data_loading/counted_images.hpp"
#include "suites/data_loading/loading.hpp"

namespace torchgate::suites::epochs {
namespace {

using namespace torchgate::bench;
using namespace torchgate::suites;
namespace data = torch::data;

constexpr std::int64_t images_per_epoch = 30;  // the last batch has 2 images
constexpr std::int64_t full_batches = images_per_epoch / batch_size;
constexpr std::size_t workers = 2;
constexpr std::size_t ranks = 2;  // among which a distributed sampler divides the images
constexpr std::int64_t images_of_all_ranks = 2 * images_per_epoch;
constexpr std::size_t requests_per_epoch = 60;  // of the op cache
constexpr std::size_t cached_images = 8;

auto loader_of(CountedImages images, const data::DataLoaderOptions& options) {
  return data::make_data_loader<data::samplers::SequentialSampler>(std::move(images).map(data::transforms::Stack<>()),
                                                                   options);
}

template <class Loader>
Epoch deliver(Loader& loader) {
  Epoch epoch(images_of_all_ranks);
  for (const auto& batch : loader) epoch.add(batch);
  return epoch;
}

/// Calls `run`, which delivers an epoch, and records what was counted meanwhile.
template <class Run>
std::vector<double> counted(LoadCounts& counts, Recorder& recorder, Run&& run) {
  counts.reset();
  const Epoch epoch = run();
  recorder.put("batches", static_cast<double>(epoch.batches()));
  recorder.put("loads", static_cast<double>(counts.loads));
  recorder.put("dataset_copies", static_cast<double>(counts.copies));
  return epoch.result();
}

// --- loader: workers of each epoch or of all; order and size of the batches ---------------------------------------------

CountedImages uneven_images(const Args& args, const std::shared_ptr<LoadCounts>& counts) {
  CountedImages images(images_per_epoch, args, counts);
  images.make_uneven();
  return images;
}

data::DataLoaderOptions two_workers() {
  return loading(workers, 2 * workers);
}

// A loader starts its workers when it is made and joins them when it is destroyed.
Timed new_loader_each_epoch(const Args& args) {
  auto counts = std::make_shared<LoadCounts>();
  return [images = uneven_images(args, counts), counts](Recorder& recorder) {
    return counted(*counts, recorder, [&] { return deliver(*loader_of(images, two_workers())); });
  };
}

Factory kept_loader(const data::DataLoaderOptions& options) {
  return [options](const Args& args) -> Timed {
    auto counts = std::make_shared<LoadCounts>();
    auto loader = loader_of(uneven_images(args, counts), options);
    return [loader = std::move(loader), counts](Recorder& recorder) {
      return counted(*counts, recorder, [&] { return deliver(*loader); });
    };
  };
}

// --- sampler: the order of the images, drawn before each epoch ----------------------------------------------------------

template <class Sampler>
Timed sampled_by(const Args& args, Sampler sampler) {
  auto counts = std::make_shared<LoadCounts>();
  auto images = CountedImages(images_of_all_ranks, args, counts).map(data::transforms::Stack<>());
  auto loader = data::make_data_loader(std::move(images), std::move(sampler), loading(0, 0));
  return [loader = std::move(loader), counts](Recorder& recorder) {
    return counted(*counts, recorder, [&] { return deliver(*loader); });
  };
}

Timed sampled_at_random(const Args& args) {
  return sampled_by(args, data::samplers::RandomSampler(images_per_epoch));
}

data::samplers::DistributedRandomSampler sampler_of_rank(std::size_t rank) {
  return {static_cast<std::size_t>(images_of_all_ranks), ranks, rank};
}

// The case is one rank's part. Together the parts must be all images, each once.
void check_parts_of_ranks() {
  std::set<std::size_t> all;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto part = sampler_of_rank(rank).next(images_per_epoch);
    TORCH_CHECK(part && part->size() == images_per_epoch, "rank ", rank, " has an incomplete part");
    all.insert(part->begin(), part->end());
  }
  TORCH_CHECK(all.size() == images_of_all_ranks, "the parts of the ranks overlap");
}

Timed sampled_for_one_rank(const Args& args) {
  check_parts_of_ranks();
  return sampled_by(args, sampler_of_rank(0));
}

// --- cache: images that are requested several times in an epoch ---------------------------------------------------------

/// Without a cache if `capacity` is 0; else the rate of hits is recorded too.
Timed requested_by_popularity(const Args& args, std::size_t capacity) {
  auto counts = std::make_shared<LoadCounts>();
  CountedImages images(images_per_epoch, args, counts);
  if (capacity > 0) images.cache(capacity);
  auto loader = data::make_data_loader(std::move(images).map(data::transforms::Stack<>()),
                                       PopularFirst(requests_per_epoch, images_per_epoch, args.seed()), loading(0, 0));
  deliver(*loader);  // fills the cache: each later epoch then begins with what the one before left
  return [loader = std::move(loader), counts, capacity](Recorder& recorder) {
    auto result = counted(*counts, recorder, [&] { return deliver(*loader); });
    if (capacity > 0) recorder.put("hit_rate", static_cast<double>(counts->hits) / requests_per_epoch);
    return result;
  };
}

Timed with_cache(const Args& args) {
  return requested_by_popularity(args, cached_images);
}

// --- the group ----------------------------------------------------------------------------------------------------------

Timed baseline(const Args& args) {
  const std::string op = args.text("op");
  if (op == "loader") return new_loader_each_epoch(args);
  if (op == "sampler") return sampled_by(args, data::samplers::SequentialSampler(images_per_epoch));
  return requested_by_popularity(args, 0);
}

std::optional<std::string> same_images_in_any_order(const Output& reference, const Output& output) {
  constexpr double summation_error = 1e-5;
  for (const Epoch::Number number : {Epoch::delivered_batches, Epoch::once, Epoch::pixels}) {
    if (!is_close(output.values.at(number), reference.values.at(number), summation_error))
      return "delivered other images than the reference";
  }
  return std::nullopt;
}

// Exactly: a relative distance of all numbers would hide an exchange of two neighbours.
std::optional<std::string> same_images_in_same_order(const Output& reference, const Output& output) {
  if (output.values.at(Epoch::order) != reference.values.at(Epoch::order))
    return "delivered the images in another order than the reference";
  return same_images_in_any_order(reference, output);
}

// The second batch is complete before the first one (CountedImages::make_uneven).
std::optional<std::string> same_images_as_they_come(const Output& reference, const Output& output) {
  if (output.values.at(Epoch::order) == reference.values.at(Epoch::order))
    return "delivered the images in order, though another batch was ready first";
  return same_images_in_any_order(reference, output);
}

std::optional<std::string> full_batches_only(const Output& /*reference*/, const Output& output) {
  if (output.values.at(Epoch::delivered_batches) != full_batches) return "delivered a batch that is not full";
  if (output.values.at(Epoch::once) != full_batches * batch_size) return "lost images of the full batches";
  return std::nullopt;
}

std::optional<std::string> as_many_images_shuffled(const Output& reference, const Output& output) {
  if (output.values.at(Epoch::once) != images_per_epoch) return "delivered an image twice or never";
  if (output.values.at(Epoch::order) == reference.values.at(Epoch::order)) return "delivered the images in order";
  return std::nullopt;
}

TORCHGATE_GROUP("epoch") {
  const Axis op = group.axis("op", {"loader", "sampler", "cache"});
  group.without({"peak_bytes"});  // how many batches exist at once is a race of the workers
  group.measures(count("batches")).measures(count("loads")).measures(count("dataset_copies"));
  group.quick(op("cache")).only_full(op("sampler"));

  group.reference("baseline", baseline);
  group.variant("kept_loader", kept_loader(two_workers()))
      .only(op("loader"))
      .checks(same_images_in_same_order)
      .proves(metric("dataset_copies") == 0)
      // The time of starting threads varies too much for a claim.
      .claims(metric("dataset_copies") <= 0.5 * reference());
  group.variant("unordered", kept_loader(two_workers().enforce_ordering(false)))
      .only(op("loader"))
      .needs("two CPUs", two_cpus)
      .checks(same_images_as_they_come)
      .claims(time() <= 1.2 * variant_named("kept_loader"));  // a gain needs two idle CPUs
  group.variant("drop_last", kept_loader(two_workers().drop_last(true)))
      .only(op("loader"))
      .only_full()
      .checks(full_batches_only)
      .proves(metric("batches") == full_batches)
      .claims(metric("batches") <= 0.9 * reference());
  group.variant("random", sampled_at_random)
      .only(op("sampler"))
      .checks(same_images_in_any_order)
      .proves(calls("aten::randperm") >= 1)
      .claims(time() <= 1.4 * reference());
  group.variant("distributed_random", sampled_for_one_rank)
      .only(op("sampler"))
      .checks(as_many_images_shuffled)
      .claims(time() <= 1.4 * reference());
  group.variant("lru_cache", with_cache)
      .only(op("cache"))
      .checks(same_images_in_same_order)
      .measures(ratio("hit_rate").higher().exact())
      .claims(metric("loads") <= 0.7 * reference())
      .claims(time() <= 0.8 * reference());
}

}  // namespace
}  // namespace torchgate::suites::epochs
