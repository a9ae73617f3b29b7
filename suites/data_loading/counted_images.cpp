// SPDX-License-Identifier: Apache-2.0
#include "suites/data_loading/counted_images.hpp"

#include <c10/util/Exception.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <random>
#include <thread>
#include <utility>

#include "suites/data_loading/loading.hpp"

namespace torchgate::suites {
namespace {

constexpr std::size_t slow_batch_every = 4;
constexpr int slow_batch_loads = 6;
constexpr double popularity = 3;  // exponent: half of the requests are for the first eighth of the images

}  // namespace

CountedImages::CountedImages(std::int64_t count, const bench::Args& args, std::shared_ptr<LoadCounts> counts)
    : images_(count, args), counts_(std::move(counts)) {}

CountedImages::CountedImages(const CountedImages& other)
    : torch::data::datasets::Dataset<CountedImages>(other),
      images_(other.images_),
      counts_(other.counts_),
      uneven_(other.uneven_),
      cache_(other.cache_) {
  ++counts_->copies;
}

// A worker that waits does not keep the other one from working, also on one CPU.
void CountedImages::wait_for_third_batch() const {
  constexpr std::chrono::seconds longest{60};  // a busy machine stalls a thread for seconds
  constexpr std::chrono::microseconds pause{50};
  const auto end = std::chrono::steady_clock::now() + longest;
  while (!counts_->third_batch) {
    TORCH_CHECK(std::chrono::steady_clock::now() < end, "no other worker began the third batch");
    std::this_thread::sleep_for(pause);
  }
}

torch::data::Example<> CountedImages::load(std::size_t index) {
  ++counts_->loads;
  if (uneven_ && index == 0) wait_for_third_batch();
  if (index == 2 * static_cast<std::size_t>(batch_size)) counts_->third_batch = true;
  const bool slow = uneven_ && index / static_cast<std::size_t>(batch_size) % slow_batch_every == 0;
  for (int i = 1; slow && i < slow_batch_loads; ++i) images_.get(index);
  return images_.get(index);
}

torch::data::Example<> CountedImages::get(std::size_t index) {
  if (!cache_) return load(index);
  const std::int64_t hits_before = cache_->hits();
  auto image = cache_->get(index, [this](std::size_t missing) { return load(missing); });
  counts_->hits += cache_->hits() - hits_before;
  return image;
}

PopularFirst::PopularFirst(std::size_t requests, std::size_t images, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  constexpr auto largest = static_cast<double>(std::mt19937_64::max());
  for (std::size_t i = 0; i < requests; ++i) {
    const double uniform = static_cast<double>(generator()) / largest;
    const auto index = static_cast<std::size_t>(std::pow(uniform, popularity) * static_cast<double>(images));
    requests_.push_back(std::min(index, images - 1));
  }
}

void PopularFirst::reset(std::optional<std::size_t> /*new_size*/) {
  next_ = 0;
}

std::optional<std::vector<std::size_t>> PopularFirst::next(std::size_t count) {
  if (next_ == requests_.size()) return std::nullopt;
  const std::size_t end = std::min(next_ + count, requests_.size());
  std::vector<std::size_t> batch(std::next(requests_.begin(), static_cast<std::ptrdiff_t>(next_)),
                                 std::next(requests_.begin(), static_cast<std::ptrdiff_t>(end)));
  next_ = end;
  return batch;
}

}  // namespace torchgate::suites
