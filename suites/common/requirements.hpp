// SPDX-License-Identifier: Apache-2.0
// Requirements of cases that the harness does not know by name: .needs("two CPUs", two_cpus).
#pragma once

#include <optional>
#include <string>

namespace torchgate::suites {

/// Whether two threads can run at the same time.
std::optional<std::string> two_cpus();

}  // namespace torchgate::suites
