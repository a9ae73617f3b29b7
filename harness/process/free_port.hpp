// SPDX-License-Identifier: Apache-2.0
// A port for processes that are about to find each other.
#pragma once

#include <optional>

namespace torchgate::process {

/// A free port of the loopback interface; absent, with errno: there is none. Another process could take it before it is used, but the kernel
/// assigns such ports in turn, so that all others would have to be assigned first.
std::optional<int> free_port();

}  // namespace torchgate::process
