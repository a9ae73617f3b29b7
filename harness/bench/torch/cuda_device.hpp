// SPDX-License-Identifier: Apache-2.0
// The current CUDA device and LibTorch's current stream on it, as a Device.
#pragma once

#include <memory>
#include <vector>

#include "harness/bench/device/device.hpp"
#include "harness/record/case.hpp"

namespace torchgate::bench {

/// REQUIRES: torch::cuda::is_available(). The expected clock is the device's highest, or TORCHGATE_SM_CLOCK_MHZ.
base::Result<std::unique_ptr<Device>> cuda_device();

/// The settings that determine how times are measured on this device, as facts of the record.
std::vector<record::Parameter> cuda_facts(const Device& device);

}  // namespace torchgate::bench
