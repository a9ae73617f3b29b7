// SPDX-License-Identifier: Apache-2.0
// The current CUDA device and LibTorch's current stream on it, as a Device.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/device/device.hpp"
#include "harness/record/case.hpp"

namespace torchgate::bench {

/// REQUIRES: torch::cuda::is_available(). The expected clock is the device's highest, or TORCHGATE_SM_CLOCK_MHZ.
base::Result<std::unique_ptr<Device>> cuda_device();

/// Why no call to CUDA works in this process any more; absent: they do, as far as it tells without waiting.
/// REQUIRES: torch::cuda::is_available().
std::optional<std::string> cuda_lost();

/// The settings that determine how times are measured on this device, as facts of the record.
std::vector<record::Parameter> cuda_facts(const Device& device);

}  // namespace torchgate::bench
