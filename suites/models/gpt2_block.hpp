// SPDX-License-Identifier: Apache-2.0
// A block of GPT-2 small [Radford et al. 2019]: 12 heads, width 768, normalisation before each half, and a cache of the keys
// and values of earlier tokens.
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/types.h>

#include "suites/models/layers.hpp"

namespace torchgate::suites {

/// Keys and values of all positions of a sequence; a call writes those of its own tokens.
struct KeyValueCache {
  static constexpr std::int64_t positions = 1024;  // the longest context of GPT-2

  torch::Tensor keys;  ///< [1, heads, positions, width of a head]
  torch::Tensor values;

  /// Filled with random numbers.
  KeyValueCache();
  void to(torch::Dtype dtype);
};

struct Gpt2Block {
  static constexpr std::int64_t width = 768;
  static constexpr std::int64_t heads = 12;
  static constexpr std::int64_t inner_width = 3072;
  static constexpr double epsilon = 1e-5;

  LayerNorm attention_norm{width, epsilon};
  LinearLayer query_key_value{width, 3 * width};
  LinearLayer output{width, width};
  LayerNorm inner_norm{width, epsilon};
  LinearLayer expand{width, inner_width};
  LinearLayer contract{inner_width, width};

  /// x: [1, tokens, width]. Puts the keys and values of these tokens into the cache at `start`, and attends to all positions
  /// up to there. Several tokens have to begin the sequence: each sees itself and those before it.
  torch::Tensor operator()(const torch::Tensor& x, const KeyValueCache& cache, std::int64_t start) const;
  void to(torch::Dtype dtype);
  void to_int8();
  /// The same block in TorchScript: forward(x, keys, values, start).
  [[nodiscard]] torch::jit::Module script() const;
};

}  // namespace torchgate::suites
