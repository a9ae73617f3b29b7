// SPDX-License-Identifier: Apache-2.0
// Requirements of cases that the harness does not know by name: .needs("two CPUs", two_cpus).
#pragma once

#include <optional>
#include <string>

namespace torchgate::suites {

/// Whether two threads can run at the same time.
std::optional<std::string> two_cpus();

/// Whether this LibTorch is older than 2.15: for claims that hold up to then, and cases that 2.15 has no kernel for.
std::optional<std::string> libtorch_before_2_15();

}  // namespace torchgate::suites
