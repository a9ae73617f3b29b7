// SPDX-License-Identifier: Apache-2.0
// A port for processes that are about to find each other.
#pragma once

#include <optional>

namespace torchgate::process {

/// A free port of the loopback interface, if possible one that the kernel assigns to no connection; absent, with errno: there is none. Another
/// process could still choose it before it is used.
std::optional<int> free_port();

}  // namespace torchgate::process
