// SPDX-License-Identifier: Apache-2.0
// The layer of weight_only and weight_only_cuda, and its numbers in fewer bits.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <initializer_list>

#include "harness/bench/args.hpp"
#include "harness/bench/timed.hpp"

namespace torchgate::suites {

struct WeightOnlyLayer {
  static constexpr std::int64_t width = 1536;  ///< inputs and outputs
  torch::Tensor weight;                        ///< FP32
  torch::Tensor x;                             ///< BF16, of the axis "rows"

  explicit WeightOnlyLayer(const bench::Args& args);
};

/// Weights of four bits, which stand for -8 to 7; each group of 32 neighbours in a row has a scale of its own.
struct FourBitWeights {
  static constexpr std::int64_t group_size = 32;
  torch::Tensor numbers;           ///< [outputs, inputs], 32-bit integers from 0 to 15: 8 is zero
  torch::Tensor scales_and_zeros;  ///< [groups of a row, outputs, 2], BF16

  explicit FourBitWeights(const torch::Tensor& weight);
};

/// Activations as signed bytes with one scale, which is known beforehand as after calibration.
struct SignedBytes {
  double scale;
  torch::Tensor bytes;

  explicit SignedBytes(const torch::Tensor& x);
};

/// Records what a variant keeps of the weights, scales included, as parameter_bytes.
void record_parameter_bytes(bench::Recorder& recorder, std::initializer_list<torch::Tensor> kept);

}  // namespace torchgate::suites
