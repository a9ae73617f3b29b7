// SPDX-License-Identifier: Apache-2.0
// A request that counts instructions with the programs and the environment of one that was timed.
#pragma once

#include <string>
#include <vector>

#include "harness/launch/request.hpp"

namespace torchgate::workflow {

/// CASES on the sides of MEASURED, counted as COUNT says; nothing is timed (launch::count_only).
launch::Request counting_request(const launch::Request& measured, std::vector<std::string> cases,
                                 const launch::CountRequest& count);

}  // namespace torchgate::workflow
