// SPDX-License-Identifier: Apache-2.0
// Images whose loads are counted, and the order in which a case requests them.
#pragma once

#include <torch/data/datasets/base.h>
#include <torch/data/example.h>
#include <torch/data/samplers/base.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "harness/bench/args.hpp"
#include "suites/common/lru_cache.hpp"
#include "suites/data_loading/images.hpp"

namespace torchgate::suites {

/// What the data sets of one case did since reset(), in all threads.
struct LoadCounts {
  std::atomic<std::int64_t> loads{0};    ///< images that were decoded
  std::atomic<std::int64_t> copies{0};   ///< of the data set: a loader makes one for each of its workers
  std::atomic<std::int64_t> hits{0};     ///< images that came from the cache
  std::atomic<bool> third_batch{false};  ///< was begun
  void reset() {
    loads = copies = hits = 0;
    third_batch = false;
  }
};

/// Images (images.hpp) that count, with two options.
class CountedImages : public torch::data::datasets::Dataset<CountedImages> {
 public:
  CountedImages(std::int64_t count, const bench::Args& args, std::shared_ptr<LoadCounts> counts);
  CountedImages(const CountedImages& other);
  CountedImages(CountedImages&&) noexcept = default;
  CountedImages& operator=(const CountedImages&) = delete;
  CountedImages& operator=(CountedImages&&) = delete;
  ~CountedImages() override = default;

  /// Every fourth batch costs six times as much to load as the others, and the first one is not complete before the third one is begun: by then a loader
  /// with several workers has the second one, and delivers it first if it may. For loaders with at least two workers.
  void make_uneven() { uneven_ = true; }
  /// Keeps the most recently used images. All copies share the cache: for a loader without workers.
  void cache(std::size_t images) { cache_ = std::make_shared<LruCache<torch::data::Example<>>>(images); }

  torch::data::Example<> get(std::size_t index) override;
  [[nodiscard]] std::optional<std::size_t> size() const override { return images_.size(); }

 private:
  torch::data::Example<> load(std::size_t index);
  void wait_for_third_batch() const;

  Images images_;
  std::shared_ptr<LoadCounts> counts_;
  bool uneven_ = false;
  std::shared_ptr<LruCache<torch::data::Example<>>> cache_;
};

/// The same requests in every epoch: the lower the index, the more often an image is requested.
class PopularFirst : public torch::data::samplers::Sampler<> {
 public:
  PopularFirst(std::size_t requests, std::size_t images, std::uint64_t seed);
  void reset(std::optional<std::size_t> new_size = std::nullopt) override;
  std::optional<std::vector<std::size_t>> next(std::size_t count) override;
  void save(torch::serialize::OutputArchive&) const override {}
  void load(torch::serialize::InputArchive&) override {}

 private:
  std::vector<std::size_t> requests_;
  std::size_t next_ = 0;
};

}  // namespace torchgate::suites
