// SPDX-License-Identifier: Apache-2.0
// Numbers as bytes: real value = scale * (byte - zero point), weights with one scale for each output channel.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace torchgate::suites {

/// Which kernels run and pack quantized layers from now on. Throws c10::Error for an unknown name.
void use_quantized_engine(const char* name);

struct Quantization {
  double scale = 1;
  std::int64_t zero_point = 0;
};

/// The largest byte of an activation: 255, or 127 on a CPU without VNNI: there FBGEMM and oneDNN add two products of bytes in 16 bits (vpmaddubsw), and
/// full bytes overflow them.
int largest_activation();
/// Whether that is less than a byte can hold: `reduce_range` of dynamic layers.
bool reduces_range();

/// Unsigned bytes from zero to `most_byte` that cover a range and represent zero exactly.
Quantization bytes_for(double least, double most, int most_byte = largest_activation());
/// Covers the range of a tensor that was seen during calibration.
Quantization calibrate(const torch::Tensor& seen);
torch::Tensor quantize(const torch::Tensor& x, Quantization quantization);

/// Signed bytes around zero, a scale for each output channel.
torch::Tensor quantize_weight(const torch::Tensor& weight);

}  // namespace torchgate::suites
