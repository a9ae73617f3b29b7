// SPDX-License-Identifier: Apache-2.0
// Groups of tests, described in place.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "harness/bench/run/group_cases.hpp"

namespace torchgate::bench::testing {

using Description = std::function<void(Group& g)>;

/// `name`: "suite/group".
inline GroupCases described(const std::string& name, const Description& describe) {
  const auto slash = name.find('/');
  return {name.substr(0, slash), name.substr(slash + 1), describe};
}
/// The group "s/g".
inline GroupCases described(const Description& describe) {
  return described("s/g", describe);
}

/// What is reported when its suite starts; empty if all of it is in order.
inline std::string mistake_of(const Description& describe, const std::string& name = "s/g") {
  try {
    const GroupCases group = described(name, describe);
    (void)group.definition(group.instances());
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace torchgate::bench::testing
