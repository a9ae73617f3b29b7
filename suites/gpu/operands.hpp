// SPDX-License-Identifier: Apache-2.0
// The factors of a large product, and the images and filters of a convolution.
#pragma once

#include <torch/torch.h>

#include <cmath>
#include <cstdint>

#include "harness/bench/args.hpp"
#include "suites/common/inputs.hpp"

namespace torchgate::suites {

struct Factors {
  static constexpr std::int64_t size = 2048;
  torch::Tensor left;
  torch::Tensor right;

  explicit Factors(const bench::Args& args) {
    Inputs inputs(args);
    left = inputs.normal({size, size});
    right = inputs.normal({size, size}) / std::sqrt(static_cast<double>(size));
  }
  void to(torch::Dtype dtype) {
    left = left.to(dtype);
    right = right.to(dtype);
  }
};

/// Calling it convolves 32 images of 64 channels with 64 filters of 3x3.
struct Convolution {
  torch::Tensor images;
  torch::Tensor weight;

  explicit Convolution(const bench::Args& args) {
    constexpr std::int64_t batch = 32;
    constexpr std::int64_t channels = 64;
    constexpr std::int64_t width = 56;
    constexpr std::int64_t kernel = 3;
    Inputs inputs(args);
    images = inputs.normal({batch, channels, width, width});
    weight = inputs.normal({channels, channels, kernel, kernel}) /
             std::sqrt(static_cast<double>(channels * kernel * kernel));
  }
  [[nodiscard]] torch::Tensor operator()() const {
    return torch::conv2d(images, weight, /*bias=*/{}, /*stride=*/1, /*padding=*/1);
  }
};

}  // namespace torchgate::suites
