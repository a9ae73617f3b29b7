// SPDX-License-Identifier: Apache-2.0
// Which cases depend on the device of a machine (Machine::device_key).
#pragma once

#include <algorithm>

#include "harness/record/run.hpp"

namespace torchgate::record {

/// A case of a GPU.
inline bool is_cuda(const Case& definition) {
  return definition.device == "cuda";
}

/// RUN has cases of a GPU that could run.
inline bool has_cuda_cases(const Run& run) {
  return std::any_of(run.cases.begin(), run.cases.end(),
                     [](const Case& each) { return is_cuda(each) && !each.skipped; });
}

}  // namespace torchgate::record
