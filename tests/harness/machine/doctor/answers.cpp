// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/machine/doctor/answers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace torchgate::machine::doctor::testing {

MachineCheck row(const MachineChecks& checks, const std::string& name) {
  const auto found = std::find_if(checks.begin(), checks.end(), [&](const auto& check) { return check.name == name; });
  if (found != checks.end()) return *found;
  ADD_FAILURE() << "no row " << name;
  return {};
}

const char* word(CheckAnswer answer) {
  return answer == CheckAnswer::ok ? "ok" : answer == CheckAnswer::bad ? "bad" : "unknown";
}

}  // namespace torchgate::machine::doctor::testing
