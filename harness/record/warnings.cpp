// SPDX-License-Identifier: Apache-2.0
#include "harness/record/warnings.hpp"

#include "harness/base/limits.hpp"

namespace torchgate::record {

std::string defined_differently(const std::string& case_name, const std::string& both_sides, const std::string& what) {
  return "The case " + case_name + " is defined differently in " + both_sides + " (" + what +
         "): its two timings are not comparable";
}

void limit_warnings(std::vector<std::string>& warnings) {
  const auto most = static_cast<std::size_t>(base::max_warnings);
  if (warnings.size() <= most) return;
  const std::size_t left_out = warnings.size() - (most - 1);
  warnings.resize(most - 1);
  warnings.push_back(std::to_string(left_out) + " more warnings were dropped");
}

}  // namespace torchgate::record
