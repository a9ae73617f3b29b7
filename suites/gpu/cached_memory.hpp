// SPDX-License-Identifier: Apache-2.0
// LibTorch's allocator of device memory: what it has taken from the device, and tensors of a given number of bytes.
#pragma once

#include <c10/core/CachingDeviceAllocator.h>
#include <torch/types.h>

#include <cstdint>

#include "harness/bench/args.hpp"

namespace torchgate::suites {

inline constexpr std::int64_t bytes_of_megabyte = 1 << 20;

/// Initialises CUDA if nothing has done so yet: without that the allocator has no device to answer for.
c10::DeviceAllocator& device_allocator();

/// What the allocator has from the device: memory of tensors, and memory that it keeps for later ones.
std::int64_t reserved_bytes();
/// How many segments for tensors of more than 1 MB it has taken from the device. The harness resets the count between calls: read it twice
/// within one.
std::int64_t segments_taken();
/// How many segments it has returned to the device. As segments_taken(), but of all sizes.
std::int64_t segments_returned();

/// Ones, on the case's device.
torch::Tensor buffer(const bench::Args& args, std::int64_t bytes);

}  // namespace torchgate::suites
