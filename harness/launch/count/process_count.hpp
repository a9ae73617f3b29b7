// SPDX-License-Identifier: Apache-2.0
// What one process counted of one case.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "harness/launch/count/callgrind_file.hpp"

namespace torchgate::launch {

/// What a case executed in one process.
struct ProcessCount {
  std::optional<double> per_call;
  std::string unknown;                           ///< why there is none
  std::string cpu_capability;                    ///< as in record::InstructionCount
  std::map<FunctionName, double> functions;      ///< per call; empty: not known
  std::map<FunctionName, std::uint64_t> set_up;  ///< before the first counted call
};

}  // namespace torchgate::launch
