// SPDX-License-Identifier: Apache-2.0
#include "suites/data_loading/loading.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <thread>

#include "suites/data_loading/images.hpp"

namespace torchgate::suites {

torch::data::DataLoaderOptions loading(std::size_t workers, std::size_t batches_ahead) {
  auto options = torch::data::DataLoaderOptions().batch_size(batch_size).workers(workers);
  if (workers > 0) options.max_jobs(batches_ahead);
  return options;
}

void Epoch::add(const torch::data::Example<>& batch) {
  const std::int64_t consumer = current_thread();
  ++batches_;
  const auto target = batch.target.accessor<std::int64_t, 2>();
  for (std::int64_t i = 0; i < target.size(0); ++i) {
    const std::int64_t index = target[i][0];
    ++seen_.at(static_cast<std::size_t>(index));
    order_ += ++position_ * index;
    if (target[i][1] == consumer) ++loaded_by_consumer_;
  }
  pixels_ += batch.data.abs().sum().item<double>();
}

std::vector<double> Epoch::result() const {
  const auto exactly_once = std::count(seen_.begin(), seen_.end(), 1);
  return {static_cast<double>(batches_), static_cast<double>(exactly_once), static_cast<double>(loaded_by_consumer_),
          static_cast<double>(order_), pixels_};
}

}  // namespace torchgate::suites
