// SPDX-License-Identifier: Apache-2.0
// Which kernels oneDNN and MKL may take while instructions are counted in Callgrind.
#pragma once

#include <string>
#include <vector>

#include "harness/process/process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

/// Variables for COMMAND that make both take kernels without fused multiply-add; those that the user has set are left out. Valgrind calls a
/// function for each number of such an instruction: a ResNet-18 takes minutes with them, seconds without (README.md).
std::vector<record::Parameter> kernels_without_fma(const process::Command& command);

/// What COMMAND limits them to: "oneDNN AVX, MKL AVX". Empty: nothing.
std::string math_kernels_of(const process::Command& command);

}  // namespace torchgate::launch
