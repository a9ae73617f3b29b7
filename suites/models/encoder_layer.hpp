// SPDX-License-Identifier: Apache-2.0
// A layer of BERT-base [Devlin et al. 2019]: 12 heads, width 768, feed-forward width 3072, normalisation after each half.
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/types.h>

#include "suites/models/layers.hpp"

namespace torchgate::suites {

struct EncoderLayer {
  static constexpr std::int64_t width = 768;
  static constexpr std::int64_t heads = 12;
  static constexpr std::int64_t inner_width = 3072;
  static constexpr double epsilon = 1e-12;

  LinearLayer query{width, width};
  LinearLayer key{width, width};
  LinearLayer value{width, width};
  LinearLayer output{width, width};
  LinearLayer expand{width, inner_width};
  LinearLayer contract{inner_width, width};
  LayerNorm attention_norm{width, epsilon};
  LayerNorm output_norm{width, epsilon};

  /// x: [batch, tokens, width]; no token is masked.
  torch::Tensor operator()(const torch::Tensor& x) const;
  void to(torch::Dtype dtype);
  void to_int8();
  /// The same layer in TorchScript.
  [[nodiscard]] torch::jit::Module script() const;
};

}  // namespace torchgate::suites
