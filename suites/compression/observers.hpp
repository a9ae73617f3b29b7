// SPDX-License-Identifier: Apache-2.0
// Observers: which range an activation has, from batches that only calibrate.
#pragma once

#include <torch/types.h>

namespace torchgate::suites {

struct Range {
  double least = 0;
  double most = 0;
};

/// The range of all values: one outlier widens it, and every step between two bytes.
class MinMaxObserver {
 public:
  void observe(const torch::Tensor& x);
  Range range() const { return seen_; }

 private:
  Range seen_;
};

/// The range with the smallest squared error: of rounding inside it and of clipping outside.
class HistogramObserver {
 public:
  void observe(const torch::Tensor& x);
  Range range() const;

 private:
  void widen();
  double error_of(const Range& range, const torch::Tensor& centres) const;

  torch::Tensor counts_;  ///< bins from -limit_ to limit_
  double limit_ = 1;
  MinMaxObserver extremes_;
};

}  // namespace torchgate::suites
