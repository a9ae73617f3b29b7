// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/measure/counting_request.hpp"

#include <utility>

namespace torchgate::workflow {

launch::Request counting_request(const launch::Request& measured, std::vector<std::string> cases,
                                 const launch::CountRequest& count) {
  launch::Request request;
  request.sides = measured.sides;
  request.plan = measured.plan;
  request.machine = measured.machine;
  request.tool_version = measured.tool_version;
  request.allow_noisy = measured.allow_noisy;
  request.environment = measured.environment;
  request.unset = measured.unset;
  request.lock_file = measured.lock_file;
  request.lock_wait = measured.lock_wait;
  request.only_cases = std::move(cases);
  request.count = count;
  return request;
}

}  // namespace torchgate::workflow
