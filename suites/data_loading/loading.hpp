// SPDX-License-Identifier: Apache-2.0
// What the groups about loaders share: the options of a loader, and what it delivered.
#pragma once

#include <torch/data/dataloader_options.h>
#include <torch/data/example.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchgate::suites {

inline constexpr std::int64_t batch_size = 4;

/// Options of a loader for batches of batch_size with at most `batches_ahead` requested batches. `batches_ahead` is ignored
/// without workers, where LibTorch's loader loses the batches that it requested ahead.
torch::data::DataLoaderOptions loading(std::size_t workers, std::size_t batches_ahead);

/// What one epoch over the images 0 to count-1 delivered.
class Epoch {
 public:
  explicit Epoch(std::int64_t images) : seen_(static_cast<std::size_t>(images)) {}

  /// A batch of Images (images.hpp).
  void add(const torch::data::Example<>& batch);
  [[nodiscard]] std::int64_t batches() const { return batches_; }

  /// Where result() has which number.
  enum Number : std::size_t {
    delivered_batches,
    once,         ///< images that were delivered exactly once
    by_consumer,  ///< images that the consumer's own thread loaded
    order,        ///< sum of position * index: differs if the same images came in another order
    pixels,       ///< sum of absolute values
  };
  [[nodiscard]] std::vector<double> result() const;

 private:
  std::int64_t batches_ = 0;
  std::vector<int> seen_;
  std::int64_t loaded_by_consumer_ = 0;
  std::int64_t position_ = 0;
  std::int64_t order_ = 0;
  double pixels_ = 0;
};

}  // namespace torchgate::suites
