// SPDX-License-Identifier: Apache-2.0
// All of the bytes to or from an open file, however many calls that takes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace torchgate::base {

/// 0, or the errno of the write that failed: some of BYTES may be written then.
int write_all(int descriptor, std::string_view bytes);

/// The first BYTES bytes of the file, wherever it was read before; absent when it has fewer or cannot be read.
std::optional<std::string> read_all(int descriptor, std::size_t bytes);

}  // namespace torchgate::base
