// SPDX-License-Identifier: Apache-2.0
#include "suites/compression/observers.hpp"

#include <torch/torch.h>

#include <algorithm>

#include "suites/common/int8.hpp"

namespace torchgate::suites {
namespace {

using torch::Tensor;

constexpr std::int64_t bins = 2048;  // as in PyTorch's HistogramObserver

}  // namespace

void MinMaxObserver::observe(const Tensor& x) {
  seen_.least = std::min(seen_.least, x.min().item<double>());
  seen_.most = std::max(seen_.most, x.max().item<double>());
}

void HistogramObserver::observe(const Tensor& x) {
  if (!counts_.defined()) counts_ = torch::zeros({bins});
  extremes_.observe(x);
  while (std::max(-extremes_.range().least, extremes_.range().most) > limit_) widen();
  counts_ += torch::histc(x, bins, -limit_, limit_);
}

// Twice the range in the same number of bins: two neighbours become one, and the outer half is empty.
void HistogramObserver::widen() {
  limit_ *= 2;
  const Tensor halved = counts_.view({bins / 2, 2}).sum(1);
  counts_ = torch::constant_pad_nd(halved, {bins / 4, bins / 4});
}

double HistogramObserver::error_of(const Range& range, const Tensor& centres) const {
  const double step = (range.most - range.least) / largest_activation();  // of bytes_for()
  const double rounding = step * step / 12;                               // of a number anywhere between two steps
  const Tensor clipping = (centres - centres.clamp(range.least, range.most)).square();
  return (counts_ * (clipping + rounding)).sum().item<double>();
}

// The ends are moved one after the other: an outlier is on one side only.
Range HistogramObserver::range() const {
  const double bin_width = 2 * limit_ / bins;
  const Tensor centres = (torch::arange(bins) + 0.5) * bin_width - limit_;
  Range best = extremes_.range();
  double least_error = error_of(best, centres);
  for (double Range::*end : {&Range::most, &Range::least}) {
    constexpr int candidates = 100;
    const double farthest = best.*end;
    for (int candidate = 1; candidate < candidates; ++candidate) {
      Range clipped = best;
      clipped.*end = farthest * candidate / candidates;
      const double error = error_of(clipped, centres);
      if (error >= least_error) continue;
      least_error = error;
      best = clipped;
    }
  }
  return best;
}

}  // namespace torchgate::suites
